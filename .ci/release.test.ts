import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../api/test/support/temporary.ts'
import { changelogOf, isLater, release } from './release.ts'

let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const write = (file: string, text: string) => fs.writeFileSync(path.join(folder, file), text)
const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
const migrations = 'api/src/platform/db/migrations'

function commit(changes: string): void {
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', `## Unreleased\n\n- ${changes}\n`))
  git('add', '--all')
  git('commit', '--quiet', '--message', changes)
}

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  git('init', '--quiet')
  git('config', 'user.name', 'Ana')
  git('config', 'user.email', 'ana@example.com')
  fs.mkdirSync(path.join(folder, migrations), { recursive: true })
  write('package.json', '{\n  "name": "portico",\n  "version": "0.1.0"\n}\n')
  write(
    'package-lock.json',
    `{\n  "name": "portico",\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "version": "0.1.0"\n    },${' '.repeat(300)}"node_modules/a": { "version": "0.1.0" }\n  }\n}\n`,
  )
  write('CHANGELOG.md', '# Changes\n\n## Unreleased\n')
  commit('The first change.')
  return () => place.remove()
})

test('a release has its version, its heading, a commit and a tag, and says what it rolls back to', () => {
  release(folder, '0.2.0', '2026-11-23')
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version, lock.packages['node_modules/a'].version]).toEqual([
    '0.2.0',
    '0.2.0',
    '0.1.0',
  ])
  expect(git('describe', '--exact-match')).toBe('v0.2.0')
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')

  write(`${migrations}/0114-more.sql`, '-- expand\ncreate table more ();')
  commit('The second change.')
  release(folder, '0.3.0', '2026-12-01')

  write(`${migrations}/0115-less.sql`, '-- contract\ndrop table more;')
  commit('The third change.')
  release(folder, '0.3.1', '2026-12-02')
  expect(read('CHANGELOG.md')).toBe(`# Changes

## Unreleased

## 0.3.1 (2026-12-02)

Version 0.3.0 cannot be started on a database of this version, because of 0115-less.

- The third change.

## 0.3.0 (2026-12-01)

Version 0.2.0 can be started again on a database of this version.

- The second change.

## 0.2.0 (2026-11-23)

There is no earlier release to roll back to.

- The first change.
`)
})

test('what is not committed, not later or not described is not released', () => {
  const before = git('rev-parse', 'HEAD')
  expect(() => release(folder, 'next', '2026-11-23')).toThrow('Name a version such as 1.2.3.')
  expect(() => release(folder, '0.1.0', '2026-11-23')).toThrow('0.1.0 is not later than 0.1.0.')
  write('new.txt', '')
  expect(() => release(folder, '0.2.0', '2026-11-23')).toThrow('Commit or remove all changes first.')
  expect(() => changelogOf('# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- One.\n', '0.2.0', '')).toThrow(
    'CHANGELOG.md has no changes',
  )
  expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([before, ''])
})

test('versions are compared as numbers', () => {
  expect([isLater('0.10.0', '0.9.9'), isLater('1.0.0', '1.0.0'), isLater('1.0.9', '1.1.0')]).toEqual([
    true,
    false,
    false,
  ])
})
