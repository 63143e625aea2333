// `npm run chaos:migrations -- --times N --rate N`: two replicas under load while columns are added to used
// tables and dropped again, as in a rolling deploy. Every request must succeed.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { migrate } from '../api/src/platform/db/migrate.ts'
import { giveAccounts } from './support/accounts.ts'
import { benchDatabase, fill } from './support/database.ts'
import { endServers } from './support/load.ts'
import { type Portal, signIn, startPortal } from './support/portal.ts'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '10' }, rate: { type: 'string', default: '50' } },
})
const times = Number(values.times)
const everyMs = 1000 / Number(values.rate)
const tables = ['projects', 'clients', 'panels', 'auth_sessions', 'auth_accounts']

type Asked = {
  readonly write: boolean
  readonly status: number
  readonly took: number
  readonly text: string
}

/** Sends the nth request: every second one writes, and they alternate between the replicas. */
async function ask(replicas: readonly Portal[], tokens: readonly string[], n: number): Promise<Asked> {
  const write = n % 2 === 0
  const url = `${replicas[(n >> 1) % replicas.length]?.url}/api/v1/projects`
  const headers = {
    authorization: `Bearer ${tokens[(n >> 2) % tokens.length]}`,
    'content-type': 'application/vnd.api+json',
  }
  const body = JSON.stringify({ data: { type: 'projects', attributes: { name: randomUUID().slice(0, 16) } } })
  const begun = performance.now()
  const answer = await fetch(write ? url : `${url}?include=panels&page%5Bsize%5D=25`, {
    headers,
    ...(write && { method: 'POST', body }),
  })
  const text = await answer.text()
  return { write, status: answer.status, took: performance.now() - begun, text }
}

/** Adds a column to each table in turn and drops it again, by migrations like those of a newer version. */
async function alter(connection: Connection): Promise<void> {
  const folder = path.join(database.dataDir, 'migrations')
  fs.cpSync(new URL('../api/src/platform/db/migrations', import.meta.url), folder, { recursive: true })
  for (let n = 0; n < 2 * times; n++) {
    const change = n % 2 === 0 ? 'add column chaos int' : 'drop column chaos'
    const table = tables[(n >> 1) % tables.length]
    fs.writeFileSync(path.join(folder, `${9000 + n}-chaos.sql`), `alter table ${table} ${change};`)
    await migrate(connection, { folder, say: console.log })
    await sleep(1000)
  }
}

function report(asked: readonly Asked[]): void {
  const failed = asked.filter(({ status }) => status >= 400)
  const slowest = Math.max(...asked.map(({ took }) => took))
  const by = (kind: readonly Asked[]) =>
    [...Map.groupBy(kind, ({ status }) => status)]
      .map(([status, of]) => `${of.length} x ${status}`)
      .join(', ')
  console.log(
    `${asked.length} requests, ${2 * times} changes of tables: reads ${by(asked.filter(({ write }) => !write))}; writes ${by(asked.filter(({ write }) => write))}; slowest ${slowest.toFixed(0)} ms`,
  )
  for (const text of new Set(
    failed.map((one) => `${one.status} ${one.text.replaceAll(/[\da-f-]{36}/g, '…').slice(0, 200)}`),
  ))
    console.log(`  ${text}`)
  if (failed.length > 0) process.exitCode = 1
}

const database = await benchDatabase()
const replicas: Portal[] = []
try {
  await fill(database.connection, 80)
  await giveAccounts(database.connection, ['client1@bench.test'])
  for (let n = 0; n < 2; n++)
    replicas.push(await startPortal(database.connection, { PUBLIC_URL: 'http://portal.test' }))
  const tokens: string[] = []
  for (const replica of replicas) tokens.push(await signIn(replica, 'client1@bench.test'))
  const asked: Promise<Asked>[] = []
  const sending = setInterval(() => asked.push(ask(replicas, tokens, asked.length)), everyMs)
  await sleep(1000)
  await alter(database.connection).finally(() => clearInterval(sending))
  report(await Promise.all(asked))
} finally {
  await endServers(...replicas.map(({ process: child }) => child))
  await database.stop()
}
