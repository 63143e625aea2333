import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { Pool } from '#platform/db/pool.ts'
import { makeVault } from '#platform/vault.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { temporaryFolder } from './support/temporary.ts'

const root = path.resolve(import.meta.dirname, '../..')
const place = temporaryFolder('engines')
const secret = 'a secret of thirty-two characters and more'
// As a portal that runs keeps it; the commands find it by its folder.
const portal = await startEmbedded({ dataDir: place.folder, durable: false })

afterAll(async () => {
  await portal.stop()
  place.remove()
})

const command = (...args: string[]) => commandWith(secret, ...args)

function commandWith(TOKEN_SECRET: string, ...args: string[]): { status: number | null; said: string } {
  const { DATABASE_URL: _, ...inherited } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/engines.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...inherited,
      DATA_DIR: place.folder,
      TOKEN_SECRET,
      PUBLIC_URL: 'https://portal.example.com',
    },
  })
  return { status, said: stdout + stderr }
}

const secretIn = (said: string) => /whsec_\S+/.exec(said)?.[0] ?? ''

async function live(code: string): Promise<readonly string[]> {
  const pool = new Pool(portal.connection, 1, () => undefined)
  const access = await engineAccess({ db: pool.kysely, vault: makeVault(secret) }, { code })
  await pool.close()
  return access?.secrets ?? []
}

test('an engine is registered while the portal runs, and its secrets rotate', async () => {
  const added = command(
    'add',
    '--name',
    'Frankfurt Main',
    '--url',
    'https://engine.example.com/x/',
    '--default',
  )
  expect(added).toMatchObject({
    status: 0,
    said: expect.stringContaining('https://portal.example.com/engine/v1/events'),
  })
  const first = secretIn(added.said)
  expect(await live('frankfurt-main')).toEqual([first])
  const second = secretIn(command('rotate', 'frankfurt-main').said)
  expect(await live('frankfurt-main')).toEqual([second, first])
  command('rotate', 'frankfurt-main', '--finish')
  expect(await live('frankfurt-main')).toEqual([second])
  const listed = command('list').said
  expect(listed).toContain('frankfurt-main (default)  https://engine.example.com/x')
  expect(listed).not.toContain('whsec_')
  expect(command('disable', 'frankfurt-main').status).toBe(0)
  expect(await live('frankfurt-main')).toEqual([])
  expect(command('enable', 'frankfurt-main').status).toBe(0)
  expect(await live('frankfurt-main')).toEqual([second])
}, 60_000)

test.each([
  [['add', '--name', 'x', '--url', 'ftp://engine.example.com'], 'not an address'],
  [['add', '--name', 'x', '--url', 'https://user:secret@engine.example.com'], 'not an address'],
  [['add', '--name', 'x', '--url', 'http://10.0.0.1'], 'over https'],
  [['add', '--name', 'x', '--url', 'http://engine.example.com'], 'over https'],
  [['add', '--name', 'Simulated', '--url', 'https://engine.example.com'], 'already'],
  [['add', '--url', 'https://engine.example.com'], 'npm run engine:add'],
  [['rotate', 'nobody'], 'no engine'],
  [['disable', 'nobody'], 'no engine'],
  [['unknown'], 'npm run engine:list'],
  [['list', '--all'], 'npm run engine:list'],
])('%j is refused with a sentence', (args, words) => {
  const { status, said } = command(...args)
  expect([status, said.includes(words), said.includes('    at ')]).toEqual([1, true, false])
})

test('a command with another secret than the portal’s says so and does nothing', () => {
  expect(command('list').status).toBe(0)
  const wrong = commandWith('another secret of more than thirty-two', 'rotate', 'simulated')
  expect(wrong).toEqual({
    status: 1,
    said: expect.stringMatching(/^TOKEN_SECRET is not the secret that this database was sealed with: .*\n$/),
  })
  expect(command('list').status).toBe(0)
})
