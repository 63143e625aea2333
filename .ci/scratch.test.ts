import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scratchFolder } from './scratch.ts'

test('a run has a folder of its own, which is gone at its end with what tests left in it', () => {
  const { folder, remove } = scratchFolder()
  expect(fs.readdirSync(folder)).toEqual([])
  fs.mkdirSync(path.join(folder, 'left'))
  remove()
  expect(fs.existsSync(folder)).toBe(false)
})

test('a run removes what a killed one left, and nothing of one that goes on', () => {
  const going = scratchFolder()
  const { dir } = path.parse(going.folder)
  // No process has the number zero as its own.
  const killed = path.join(dir, 'portico-ci-0-left')
  fs.mkdirSync(path.join(killed, 'portico-it-left'), { recursive: true })
  scratchFolder().remove()
  expect([fs.existsSync(killed), fs.existsSync(going.folder)]).toEqual([false, true])
  going.remove()
})
