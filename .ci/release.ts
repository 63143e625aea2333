// `npm run release -- VERSION`: checks a clean tree, writes the version and the heading of the changelog,
// commits, and tags. It pushes nothing.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { kindOf } from '../api/src/platform/db/schema/migration-files.ts'

const migrations = 'api/src/platform/db/migrations'

/** A reason not to release, for the person at the terminal. */
class NotReleased extends Error {}

const numbers = (version: string) => version.split('.').map(Number)

/** Whether one version is later than another. */
export function isLater(version: string, than: string): boolean {
  const [a, b] = [numbers(version), numbers(than)]
  const at = a.findIndex((number, index) => number !== b[index])
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0)
}

/** The changelog with the unreleased changes under the heading of a version, and `rollback` below it. */
export function changelogOf(text: string, heading: string, rollback: string): string {
  const [, before, changes, after] = /^(.*?\n)## Unreleased\n(.*?)(\n## .*)?$/s.exec(text) ?? []
  if (before === undefined || changes === undefined || changes.trim() === '')
    throw new NotReleased('CHANGELOG.md has no changes under the heading "## Unreleased".')
  return `${before}## Unreleased\n\n## ${heading}\n\n${rollback}\n\n${changes.trim()}\n${after ?? ''}`
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
}

/** Says whether the version before can be started again on a database of this one. */
function rollbackFrom(folder: string, before: string): string {
  if (git(folder, 'tag', '--list', `v${before}`) === '') return `There is no earlier release to roll back to.`
  const since = git(folder, 'diff', '--name-only', '--diff-filter=A', `v${before}`, '--', migrations)
  const contracts = since
    .split('\n')
    .filter((file) => file !== '' && kindOf(fs.readFileSync(path.join(folder, file), 'utf8')) === 'contract')
  return contracts.length === 0
    ? `Version ${before} can be started again on a database of this version.`
    : `Version ${before} cannot be started on a database of this version, because of ${contracts.map((file) => path.basename(file, '.sql')).join(', ')}.`
}

function setVersion(file: string, before: string, version: string): void {
  const text = fs.readFileSync(file, 'utf8')
  // In package-lock.json the second is the entry of the root; later ones are of packages.
  const head = text.slice(0, 300).replaceAll(`"version": "${before}"`, `"version": "${version}"`)
  fs.writeFileSync(file, head + text.slice(300))
}

/** Releases what is committed in a folder, on a day such as 2026-11-23. */
export function release(folder: string, version: string, day: string): void {
  const manifest = path.join(folder, 'package.json')
  // The file of this project has this shape.
  const { version: before } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new NotReleased('Name a version such as 1.2.3.')
  if (git(folder, 'status', '--porcelain') !== '')
    throw new NotReleased('Commit or remove all changes first.')
  if (!isLater(version, before)) throw new NotReleased(`${version} is not later than ${before}.`)
  const changelog = path.join(folder, 'CHANGELOG.md')
  const text = fs.readFileSync(changelog, 'utf8')
  const released = changelogOf(text, `${version} (${day})`, rollbackFrom(folder, before))
  fs.writeFileSync(changelog, released)
  for (const file of ['package.json', 'package-lock.json'])
    setVersion(path.join(folder, file), before, version)
  git(folder, 'commit', '--all', '--quiet', '--message', `Release ${version}`)
  git(folder, 'tag', '--annotate', `v${version}`, '--message', `Portico ${version}`)
}

if (import.meta.main) {
  try {
    const version = process.argv[2] ?? ''
    release(path.join(import.meta.dirname, '..'), version, new Date().toISOString().slice(0, 10))
    console.log(`Released ${version}. Publish it with: git push --follow-tags`)
  } catch (error) {
    console.error(error instanceof NotReleased ? error.message : error)
    process.exitCode = 1
  }
}
