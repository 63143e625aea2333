import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#test/support/temporary.ts'
import { takeLock } from './lock.ts'
import { birthmark } from './processes.ts'

let folder: string
let file: string

beforeEach(() => {
  const made = temporaryFolder()
  folder = made.folder
  file = path.join(folder, 'portico.lock')
  return () => made.remove()
})

test('a folder is taken once, and again after it was let go', async () => {
  const lock = await takeLock(folder, 'data')
  await expect(takeLock(folder, 'data')).rejects.toThrow(
    `Portico already runs on data (process ${process.pid}): stop that one first, or choose another folder with DATA_DIR.`,
  )
  lock.release()
  const again = await takeLock(folder, 'data')
  again.release()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('the lock of a process that is gone is replaced', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  fs.writeFileSync(file, `${child.pid}\nsome-boot/123\n`)
  const lock = await takeLock(folder, 'data')
  expect(lock.held()).toBe(true)
  expect(fs.readFileSync(file, 'utf8')).toContain(`${process.pid}\n`)
  lock.release()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('the lock of a process whose id another one got is replaced', async () => {
  fs.writeFileSync(file, `${process.ppid}\n${birthmark(process.ppid)}0\n`)
  const lock = await takeLock(folder, 'data')
  expect(lock.held()).toBe(true)
  expect(fs.readFileSync(file, 'utf8')).toContain(`${process.pid}\n`)
  lock.release()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('a lock that a crash left empty is replaced', async () => {
  fs.writeFileSync(file, '')
  const lock = await takeLock(folder, 'data')
  expect(lock.held()).toBe(true)
  expect(fs.readFileSync(file, 'utf8')).toContain(`${process.pid}\n`)
  lock.release()
  expect(fs.readdirSync(folder)).toEqual([])
})

test('of many concurrent starts over a stale lock one gets it', async () => {
  fs.writeFileSync(file, '999999999\nsome-boot/1\n')
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(folder, 'data')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a lock that was taken away is not held any more, and another one is not released', async () => {
  const lock = await takeLock(folder, 'data')
  expect(lock.held()).toBe(true)
  fs.writeFileSync(file, '1\nanother\n')
  expect(lock.held()).toBe(false)
  lock.release()
  expect(fs.readFileSync(file, 'utf8')).toBe('1\nanother\n')
})
