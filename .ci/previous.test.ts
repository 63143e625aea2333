import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../api/test/support/temporary.ts'
import { addedSince, nothingToRun, releaseBefore } from './previous.ts'

let folder: string
const database = 'api/src/platform/db'
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, database, name), text)

/** Commits what was written; returns the commit. */
function commit(): string {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'A change')
  return git('rev-parse', 'HEAD')
}

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  git('init', '--quiet')
  git('config', 'user.name', 'Ana')
  git('config', 'user.email', 'ana@example.com')
  for (const name of ['migrations', 'functions'])
    fs.mkdirSync(path.join(folder, database, name), { recursive: true })
  write('migrations/0001-first.sql', '-- expand\ncreate table first ();')
  write('functions/one.sql', 'select 1;')
  return () => place.remove()
})

test('the release before is the last tag, and without tags the last commit before the newest migrations', () => {
  const first = commit()
  expect(releaseBefore(folder)).toBeUndefined()
  write('migrations/0002-second.sql', '-- expand\ncreate table second ();')
  commit()
  write('functions/one.sql', 'select 2;')
  commit()
  expect(releaseBefore(folder)).toBe(first)
  expect(addedSince(folder, first)).toEqual(['0002-second.sql'])
  git('tag', '--annotate', 'v0.1.0', '--message', 'A release')
  write('migrations/0003-third.sql', '-- expand\ncreate table third ();')
  commit()
  expect(releaseBefore(folder)).toBe('v0.1.0')
  expect(addedSince(folder, 'v0.1.0')).toEqual(['0003-third.sql'])
})

test('a folder without a repository has no release before', () => {
  fs.rmSync(path.join(folder, '.git'), { recursive: true })
  expect(releaseBefore(folder)).toBeUndefined()
})

test('its tests run when migrations or functions differ, also before they are committed', () => {
  const first = commit()
  expect(nothingToRun(folder, first)).toBe(`The schema is that of ${first}.`)
  write('functions/one.sql', 'select 2;')
  expect(nothingToRun(folder, first)).toBeUndefined()
  write('functions/one.sql', 'select 1;')
  write('migrations/0002-second.sql', '-- expand\ncreate table second ();')
  expect(nothingToRun(folder, first)).toBeUndefined()
})

test('a contract ends what an earlier release can run on', () => {
  const first = commit()
  write('migrations/0002-less.sql', '-- contract\ndrop table first;')
  expect(nothingToRun(folder, first)).toBe(`${first} cannot run on this schema, because of 0002-less.sql.`)
})
