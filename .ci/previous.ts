// `npm run test:previous [-- COMMIT]`: runs tests of the release before on the schema of this version, as its replicas
// run while this one is deployed, and after a rollback. The release is the given tag or commit, else the last tag, else
// the last commit before the newest migrations. Its tests use their own sources with the migrations and SQL functions
// of this checkout.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { kindOf } from '../api/src/platform/db/schema/migration-files.ts'
import { linkModules } from '../api/test/support/portal-process.ts'

const root = path.join(import.meta.dirname, '..')
const database = 'api/src/platform/db'
const schema = ['migrations', 'functions'].map((name) => path.join(database, name))

/** Every type read and written by every role, and the paths of money, access, staff, tickets and usage. */
const selection = [
  'api/test/matrix.test.ts',
  'api/test/payments.test.ts',
  'api/test/sharing.test.ts',
  'api/src/identity/sign-in/sign-in.test.ts',
  'api/src/identity/staff-invitations.test.ts',
  'api/src/identity/staff-registry.test.ts',
  'api/src/tickets/tickets.resource.test.ts',
  'api/src/usage/ingest.routes.test.ts',
  'api/src/usage/charging.test.ts',
]

/**
 * Tests that look at rows where a migration no longer writes them, instead of asking the portal. They are left out
 * of a release that lacks the migration.
 */
const excused: readonly { readonly migration: string; readonly title: string }[] = [
  {
    migration: '0290-usage-events-by-key',
    title: 'events are kept for a hundred days, what they come to for ever',
  },
]

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  }).trim()
}

/** The result of a question to git, undefined when it refuses: without a repository, or with a part of its history. */
function answer(folder: string, ...args: string[]): string | undefined {
  try {
    return git(folder, ...args)
  } catch {
    return undefined
  }
}

/** The migrations that a folder has and a commit lacks. */
export function addedSince(folder: string, commit: string): string[] {
  const before = new Set(
    git(folder, 'ls-tree', '--name-only', commit, `${schema[0]}/`)
      .split('\n')
      .map((file) => path.basename(file)),
  )
  const files = fs.readdirSync(path.join(folder, schema[0] ?? '')).filter((file) => file.endsWith('.sql'))
  return files.filter((file) => !before.has(file)).sort()
}

/** The release before what is in a folder; undefined when there is none. */
export function releaseBefore(folder: string): string | undefined {
  const tag = answer(folder, 'describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD')
  if (tag !== undefined && tag !== answer(folder, 'describe', '--tags', '--exact-match', 'HEAD')) return tag
  // Only files that are still there count: one may have been added and taken back.
  const present = (answer(folder, 'ls-files', schema[0] ?? '') ?? '').split('\n')
  const newest = answer(folder, 'log', '-1', '--diff-filter=A', '--format=%H', '--', ...present)
  return newest ? answer(folder, 'rev-parse', '--verify', '--quiet', `${newest}^`) : undefined
}

/** Why there is nothing to run for a release; undefined when there is. */
export function nothingToRun(folder: string, commit: string): string | undefined {
  const contracts = addedSince(folder, commit).filter((file) => {
    return kindOf(fs.readFileSync(path.join(folder, schema[0] ?? '', file), 'utf8')) === 'contract'
  })
  if (contracts.length > 0) return `${commit} cannot run on this schema, because of ${contracts.join(', ')}.`
  const changed = git(folder, 'diff', '--name-only', commit, '--', ...schema)
  const added = addedSince(folder, commit)
  return changed === '' && added.length === 0 ? `The schema is that of ${commit}.` : undefined
}

/** Puts the sources of a commit into a folder, with the schema and the packages of this checkout. */
function checkOut(commit: string, folder: string): void {
  const archive = path.join(folder, 'release.tar')
  git(root, 'archive', '--output', archive, commit)
  execFileSync('tar', ['--extract', '--file', archive, '--directory', folder])
  fs.rmSync(archive)
  for (const part of schema) {
    fs.rmSync(path.join(folder, part), { recursive: true })
    fs.cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
  }
  linkModules(folder)
}

/** Runs the selection in a folder; returns the status of its process. */
function runTests(folder: string, added: readonly string[]): number {
  const files = selection.filter((file) => fs.existsSync(path.join(folder, file)))
  const out = excused.filter(({ migration }) => added.includes(`${migration}.sql`))
  const titles = out.map(({ title }) => title.replaceAll(/[^\w ,]/g, '.'))
  const only = titles.length > 0 ? ['--testNamePattern', `^(?!.*(?:${titles.join('|')}))`] : []
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...only, ...files], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Keeps nothing for a next run, because the folder has none.
    env: { ...process.env, CI: 'true' },
  })
  for (const { title } of out) console.log(`Left out, because it reads rows that moved: ${title}`)
  return status ?? 1
}

function main(given: string | undefined): number {
  const release = given ?? releaseBefore(root)
  if (release === undefined) {
    console.log('No earlier release: the repository has none, or only a part of its history.')
    return 0
  }
  const commit = git(root, 'rev-parse', '--short', `${release}^{commit}`)
  const nothing = nothingToRun(root, commit)
  if (nothing !== undefined) {
    console.log(nothing)
    return 0
  }
  const added = addedSince(root, commit)
  const name = release.startsWith(commit) ? commit : release
  console.log(`Tests of ${name} on a schema with ${added.join(', ') || 'other functions'}.`)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-previous-'))
  const begun = performance.now()
  try {
    checkOut(commit, folder)
    return runTests(folder, added)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
    console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
}

if (import.meta.main) process.exitCode = main(process.argv[2])
