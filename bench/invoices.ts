// Measures documents: invoices per second in one series, PDFs laid out, and a month closed for CLIENTS
// clients (10,000), with the peak memory of this process in each; the database is another process.
import fs from 'node:fs'
import os from 'node:os'
import { sql } from 'kysely'
import { documentMaker } from '../api/src/money/invoices/documents/document-maker.ts'
import { issueInvoice } from '../api/src/money/invoices/invoices.ts'
import { closeDueMonth } from '../api/src/money/invoices/month/close-run.ts'
import { withClient } from '../api/src/platform/db/client.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { chargeDay } from '../api/src/usage/charging.ts'
import { fillDue } from '../api/test/support/charge-fire.ts'
import { serviceBill } from '../api/test/support/document-data.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { businessTime } from '../api/test/support/money.ts'
import { seconds } from './support/compare.ts'
import { benchDatabase } from './support/database.ts'

const clients = Number(process.env.CLIENTS ?? 10_000)
const writers = Number(process.env.WRITERS ?? 4)
const pdfs = Number(process.env.PDFS ?? 300)
const month = ['2026-02-10', '2026-02-11', '2026-02-12']

/** Resets the peak memory, so that the next part has its own. */
const forgetPeak = () => fs.writeFileSync('/proc/self/clear_refs', '5')
const peak = () =>
  `${(Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024).toFixed(0)} MiB at most`

const load = () => `load of the machine ${os.loadavg()[0]?.toFixed(1)}`

const database = await benchDatabase()
const pool = new Pool(database.connection, writers + 2, () => undefined)
const db = pool.kysely
const vacuum = () => withClient(database.connection, (client) => client.query('vacuum analyze'))
await installJobs(database.connection)
await makeOperator(pool)
await fillDue(pool, { clients, days: month, seed: 7 })
await sql`insert into client_entities (client_id, account_type, company_name, address1, city, zip_code, country_id, county_id)
  select c.id, 1, 'Due SRL', 'Strada Lungă 12', 'Dej', '405200', t.id, (select id from counties where code = 'RO-CJ')
  from clients c, countries t where t.code = 'RO' on conflict (client_id) do update set account_type = 1,
    company_name = excluded.company_name, address1 = excluded.address1, city = excluded.city, zip_code = excluded.zip_code,
    country_id = excluded.country_id, county_id = excluded.county_id`.execute(db)
await vacuum()

/** Concurrent writers that each issue one invoice after another, all in one series. */
async function issuing(): Promise<void> {
  const ids = (await db.selectFrom('clients').select('id').orderBy('id').limit(500).execute()).map(
    ({ id }) => id,
  )
  forgetPeak()
  const until = performance.now() + seconds * 1000
  let issued = 0
  const write = async (first: number) => {
    for (let at = first; performance.now() < until; at += writers) {
      const clientId = ids[at % ids.length] ?? 0
      await db.transaction().execute((tx) => issueInvoice(tx, { clientId, sum: { net: '50' } }))
      issued += 1
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: writers }, (_, n) => write(n)))
  const rate = issued / ((performance.now() - begun) / 1000)
  const { rows } = await sql<{
    gaps: number
  }>`select max(number) - min(number) + 1 - count(*) as gaps from invoices
    where kind = 'fiscal'`.execute(db)
  console.log(
    `issuing: ${rate.toFixed(0)} invoices/s of one series by ${writers} writers, ${issued} in all, ${rows[0]?.gaps} gaps; ${peak()}, ${load()}`,
  )
}

async function layingOut(): Promise<void> {
  const maker = documentMaker()
  const { lines } = serviceBill()
  const data = serviceBill({ lines: Array.from({ length: 13 }, () => lines).flat() })
  forgetPeak()
  await maker.pdf(data, null)
  const took: number[] = []
  let bytes = 0
  for (let n = 0; n < pdfs; n++) {
    const begun = performance.now()
    bytes = (await maker.pdf(data, null)).length
    took.push(performance.now() - begun)
  }
  took.sort((a, b) => a - b)
  const part = (share: number) => (took[Math.floor(took.length * share)] ?? Number.NaN).toFixed(0)
  console.log(
    `PDF of 39 lines, ${(bytes / 1024).toFixed(0)} KiB: p50 ${part(0.5)} ms, p95 ${part(0.95)} ms of ${pdfs}; ${peak()}, ${load()}`,
  )
  await maker.close()
}

async function closing(): Promise<void> {
  for (const day of month) await chargeDay(db, { day, everyone: true }, async () => undefined)
  await businessTime(pool, '2026-03-02T10:00:00Z')
  await vacuum()
  forgetPeak()
  const begun = performance.now()
  const failures: string[] = []
  let bills = 0
  for (let unfinished = true; unfinished; ) {
    const run = await closeDueMonth(db, (_, error) => failures.push(String(error)))
    bills += run.issued
    unfinished = run.unfinished
  }
  const took = (performance.now() - begun) / 1000
  console.log(
    `month close: ${bills} of ${clients} clients in ${took.toFixed(0)} s, ${(bills / took).toFixed(0)} bills/s, ${failures.length} tried again ${failures[0] ?? ''}; ${peak()}, ${load()}`,
  )
  if (bills !== clients) process.exitCode = 1
}

// Old documents first, because the days of one series never go backwards.
await businessTime(pool, '2026-02-20T10:00:00Z')
await issuing()
await closing()
await layingOut()
await pool.close()
await database.stop()
process.exit()
