import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type Env, readEnv } from '#config/env.ts'
import { copyOf } from '#platform/acts-as.ts'
import { withClient } from '#platform/db/client.ts'
import { bundledMajor, findBinaries } from '#platform/db/embedded/binaries.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { openHome } from '#platform/db/embedded/home.ts'
import { contentOf } from './support/filled-portal.ts'
import { makeOlderPortal, olderInstalled } from './support/older-portal.ts'
import { temporaryFolder, until } from './support/temporary.ts'

// Each test runs commands, each a process, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = path.resolve(import.meta.dirname, '../..')
const older = olderInstalled()
if (older === undefined)
  console.log('No older PostgreSQL is installed by packages of Debian, so no upgrade of one is tried.')

const { folder: dataDir, remove } = temporaryFolder('data')
afterAll(remove)
const env: Env = { ...readEnv({ DATA_DIR: dataDir, SEED: 'none' }) }
const inHome = (...names: string[]) => path.join(dataDir, 'database', ...names)
const start = (folder = dataDir) => startEmbedded({ dataDir: folder, durable: false })

const command = ['api/src/commands/archives/upgrade.ts']
function settings(given: Record<string, string> = {}) {
  const { DATABASE_URL: _, TOKEN_SECRET: __, ...inherited } = process.env
  return { cwd: root, env: { ...inherited, DATA_DIR: dataDir, SEED: 'none', ...given } }
}

function upgrade(args: string[] = [], given: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...args], {
    ...settings(given),
    encoding: 'utf8',
  })
  return { status, said: (stdout + stderr).trim() }
}

/** Begins an upgrade, and kills it as soon as something is there. */
async function killedAt(...place: string[]): Promise<void> {
  const child = spawn(process.execPath, command, { ...settings(), stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until(() => fs.existsSync(path.join(dataDir, ...place)))
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

const places = () => fs.readdirSync(inHome()).filter((name) => !name.startsWith('portico.lock'))

describe.skipIf(older === undefined)('of an older major version', async () => {
  if (older === undefined) return
  const before = await makeOlderPortal(dataDir, env, older)

  test('a start refuses the folder, and names the command', async () => {
    await expect(start()).rejects.toThrow(
      new RegExp(
        `^The database in .* is of PostgreSQL ${older.major}, and this version of Portico has PostgreSQL ${bundledMajor()}: run "npm run upgrade"`,
      ),
    )
    expect(places()).toEqual(['postgres'])
  })

  test('what cannot be upgraded is said in one sentence, and nothing changes', () => {
    const refused = (args: string[], given = {}) => {
      const { status, said } = upgrade(args, given)
      expect(status).toBe(1)
      return said.split('\n')[0]
    }
    expect(refused([], { DATABASE_URL: 'postgres://a@127.0.0.1/b' })).toBe(
      'DATABASE_URL is set: its server is upgraded with its own programs.',
    )
    expect(refused([dataDir])).toBe(`There is no PostgreSQL in ${dataDir}: bin/postgres does not start.`)
    const home = openHome(dataDir, () => undefined)
    const bundled = findBinaries(home.account, home.copies)
    expect(refused([bundled])).toBe(
      `The PostgreSQL in ${bundled} is ${bundledMajor()}, and the old database needs ${older.major}.`,
    )
    expect(refused(['one', 'two'])).toMatch(/^Usage: npm run upgrade/)
    expect(fs.readdirSync(dataDir).sort()).toEqual(['database', 'token-secret'])
    expect(places()).toEqual(['postgres'])
  })

  test('killed on the way it leaves the old database in its place', async () => {
    for (const place of [
      ['upgrading', 'manifest.json'],
      ['database', 'upgrading', 'PG_VERSION'],
    ]) {
      await killedAt(...place)
      expect(fs.readFileSync(inHome('postgres', 'PG_VERSION'), 'utf8')).toBe(`${older.major}\n`)
      await expect(start()).rejects.toThrow('run "npm run upgrade"')
    }
    // As if it had been killed when the new one was complete: the old one may have changed since, so the next run makes another.
    fs.mkdirSync(inHome('upgraded'))
  })

  test('repeated, it brings everything along, acts, and keeps the old folder', async () => {
    const { status, said } = upgrade()
    expect([status, said.split('\n').slice(-3)]).toEqual([
      0,
      [
        expect.stringMatching(
          new RegExp(
            `^The database is of PostgreSQL ${bundledMajor()} now: \\d+ tables with \\d+ rows; 0 differences in the ledger\\.$`,
          ),
        ),
        'Start the portal: it acts as before.',
        expect.stringMatching(/^The old one is kept in .*; remove it when you no longer need it\.$/),
      ],
    ])
    const kept = places().find((name) => name.startsWith(`postgres-${older.major}-`)) ?? 'nowhere'
    expect(places().sort()).toEqual(['postgres', kept])
    expect(fs.readFileSync(inHome(kept, 'PG_VERSION'), 'utf8')).toBe(`${older.major}\n`)
    expect(fs.readdirSync(dataDir).sort()).toEqual(['database', 'token-secret'])
    const server = await start()
    expect(await contentOf(server.connection)).toEqual(before)
    // It was stopped in an orderly way, so it acts however long it stands still.
    await withClient(server.connection, (client) =>
      client.query(
        "update settings set value = value || jsonb_build_object('aliveAt', now() - interval '3 days', 'stoppedAt', now() - interval '3 days') where key = 'acts_as'",
      ),
    )
    expect(await copyOf(env, server.connection)).toBeUndefined()
    const running = upgrade()
    await server.stop()
    expect(running).toMatchObject({ status: 1, said: expect.stringMatching(/^Portico already runs on /) })
    expect(upgrade()).toEqual({
      status: 0,
      said: `The database in ${dataDir} is of PostgreSQL ${bundledMajor()} already.`,
    })
  })

  test('a start completes what was interrupted when the old one was set aside', async () => {
    fs.renameSync(inHome('postgres'), inHome('upgraded'))
    const server = await start()
    expect(await contentOf(server.connection)).toEqual(before)
    await server.stop()
    expect(places()).toContain('postgres')
    expect(places()).not.toContain('upgraded')
  })
})

test('a database of a newer major version is for a newer Portico, and no database is none', async () => {
  const { folder, remove: removeOther } = temporaryFolder('data')
  expect(upgrade([], { DATA_DIR: folder })).toEqual({
    status: 1,
    said: `There is no embedded database in ${folder}.`,
  })
  fs.mkdirSync(path.join(folder, 'database', 'postgres'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'database', 'postgres', 'PG_VERSION'), '99\n')
  const refusal = `The database in ${folder} is of PostgreSQL 99, and this version of Portico has PostgreSQL ${bundledMajor()}: start the version of Portico that it was used with, or a later one.`
  expect(upgrade([], { DATA_DIR: folder })).toEqual({ status: 1, said: refusal })
  await expect(start(folder)).rejects.toThrow(refusal)
  removeOther()
})
