// Measures how long a backup, a restore and the verification of an embedded database of a gigabyte take, with
// its stored files: the commands that an operator runs, one after another. Fails when restoring and verifying take
// longer than five minutes, or when something differs.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { withClient } from '../api/src/platform/db/client.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { startEmbedded } from '../api/src/platform/db/embedded/embedded.ts'
import { migrate } from '../api/src/platform/db/migrate.ts'
import { localStorage } from '../api/src/platform/files/file-storage.ts'
import { fill } from './support/database.ts'
import { dayOf } from './support/events.ts'
import { tokenSecret } from './support/portal.ts'
import { fillRated } from './support/usage.ts'

const root = path.resolve(import.meta.dirname, '..')
const leastBytes = Number(process.env.LEAST_BYTES ?? 1_000_000_000)
const postings = Number(process.env.POSTINGS ?? 100_000)
const storedFiles = Number(process.env.FILES ?? 500)
const fileBytes = 200_000
const ratedDays = Number(process.env.DAYS ?? 20)
const eventsAtOnce = 500_000
const mostSeconds = 300

const postingsAtOnce = 1000

/** Promotional credit of all clients by the ledger itself, so that its verification has something to compare. */
const posted = (
  first: number,
) => `select ledger_post('restore:' || g, 'promo', c.id, 'USD', current_date - (g % 700)::int,
    jsonb_build_array(
      jsonb_build_object('account', 'client:' || c.id || ':credit', 'amount', '0.01'),
      jsonb_build_object('account', 'promo:USD', 'amount', '-0.01')))
  from generate_series(${first}, ${first + postingsAtOnce - 1}) g join clients c on c.id = 1 + g % (select count(*) from clients)`

/** Events of one day, so many days ago. */
const usageOf = (daysAgo: number) => [
  `select usage_partitions(array[current_date - ${daysAgo}])`,
  `insert into keyed_usage_events (event_key, panel_engine_id, panel_id, period_start, period_end, occurred_on, meter_id,
      resource_ref, quantity)
    select gen_random_uuid(), 1, 1 + g % 1000, current_date - ${daysAgo}, current_date - ${daysAgo} + interval '1 hour',
      current_date - ${daysAgo}, 1 + g % 4, 'server/s' || g % 10, 1.5
    from generate_series(1, ${eventsAtOnce}) g`,
]

async function bytesOf(connection: Connection): Promise<number> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
  )
  return Number(rows[0]?.bytes)
}

/** Stores files of bytes that do not compress, as pictures and PDFs do not, and names them as files of tickets. */
async function storeFiles(connection: Connection, dataDir: string): Promise<void> {
  const storage = await localStorage(path.join(dataDir, 'files'))
  await withClient(connection, async (client) => {
    for (let n = 0; n < storedFiles; n++) {
      const bytes = randomBytes(fileBytes)
      const key = `${createHash('md5').update(String(n)).digest('hex').slice(0, 8)}-restore-${n}`
      const arrived = path.join(storage.incoming, key)
      fs.writeFileSync(arrived, bytes)
      await storage.keep(key, arrived)
      await client.query(
        `insert into ticket_files (client_id, uploaded_by_client_id, filename, mime, size, sha256, storage_key, scan_status)
          values (1, 1, 'a.png', 'image/png', $1, $2, $3, 'clean')`,
        [fileBytes, createHash('sha256').update(bytes).digest(), key],
      )
    }
  })
}

/** Fills a data folder; returns the size of its database in bytes. */
async function fillFolder(dataDir: string): Promise<number> {
  const server = await startEmbedded({ dataDir })
  const { connection } = server
  try {
    await migrate(connection)
    await fill(connection, 4000)
    await fillRated(connection, {
      clients: 1000,
      days: Array.from({ length: ratedDays }, (_, at) => dayOf(at)),
    })
    // In one transaction, each would read all versions of the balances that it changes.
    for (let first = 0; first < postings; first += postingsAtOnce)
      await withClient(connection, (client) => client.query(posted(first)))
    await storeFiles(connection, dataDir)
    for (let day = 1; (await bytesOf(connection)) < leastBytes; day++)
      for (const statement of usageOf(day)) await withClient(connection, (client) => client.query(statement))
    return await bytesOf(connection)
  } finally {
    await server.stop()
  }
}

/** Runs a command of the portal, prints its last lines, and returns its seconds. Throws when it fails. */
function timed(command: string, dataDir: string, ...args: string[]): number {
  const begun = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join('api/src/commands', `${command}.ts`), ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', SEED: 'none', TOKEN_SECRET: tokenSecret },
    },
  )
  const took = (performance.now() - begun) / 1000
  const lines = (stdout + stderr).trim().split('\n').slice(-2)
  console.log(` ${command}: ${took.toFixed(1)} s (${lines.join('; ')})`)
  if (status !== 0) throw new Error(`npm run ${command} failed.`)
  return took
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

function sizeOf(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + fs.statSync(path.join(one.parentPath, one.name)).size, 0)
}

async function main(): Promise<boolean> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-restore-'))
  // The database runs as another user where this is root.
  fs.chmodSync(folder, 0o755)
  const [from, archive, to] = ['from', 'archive', 'to'].map((name) => path.join(folder, name))
  try {
    if (!from || !archive || !to) throw new Error('A folder is missing.')
    const database = await fillFolder(from)
    console.log(
      `A database of ${megabytes(database)} and ${storedFiles} files of ${megabytes(storedFiles * fileBytes)}; load average ${os.loadavg()[0]?.toFixed(1)}`,
    )
    timed('backup', from, archive)
    console.log(` the archive has ${megabytes(sizeOf(archive))}`)
    const took = timed('restore', to, archive) + timed('verify', to)
    console.log(` restored and verified in ${took.toFixed(0)} s; at most ${mostSeconds}`)
    return took <= mostSeconds
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

process.exit((await main()) ? 0 : 1)
