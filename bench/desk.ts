// Measures the desk over HTTP with CLIENTS clients (100,000), INVOICES invoices (1,000,000) and TICKETS tickets (200,000): 2,000 mixed
// searches, each list on its first, middle and last page, and each report of a year. Fails when a 99th percentile is above the limit.
// DATA=folder keeps the database there for the next run; making it takes minutes.
import os from 'node:os'
import { reportKinds } from '@portico/contract/rules/money/reports.ts'
import { fillReports } from '../api/src/money/reports/fill-reports.ts'
import type { Connection } from '../api/src/platform/db/connection.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { giveAccounts, giveStaff } from './support/accounts.ts'
import { each } from './support/at-once.ts'
import { benchDatabase } from './support/database.ts'
import { makeDeskRest } from './support/desk-rest.ts'
import { deskSearches } from './support/desk-searches.ts'
import { makeDeskYear } from './support/desk-year.ts'
import { endServers } from './support/load.ts'
import { get, type Portal, signIn, startPortal } from './support/portal.ts'

const clients = Number(process.env.CLIENTS ?? 100_000)
const invoices = Number(process.env.INVOICES ?? 1_000_000)
const tickets = Number(process.env.TICKETS ?? 200_000)
/** Requests of each page of a list. */
const times = Number(process.env.TIMES ?? 150)
const searches = 2000
/** One member of staff may search 60 times a minute. */
const searchesOfOne = 50
const staff = searches / searchesOfOne
const emails = Array.from({ length: staff }, (_, at) => `client${at + 1}@bench.test`)
const atOnce = 4
const most = { list: 100, report: 2000 }

/** Each list with its filters, by the type and the query of the screen. */
const lists = [
  'desk-clients?',
  'desk-clients?sort=last_name',
  'desk-clients?filter[owing]=true',
  'desk-clients?filter[trial]=true',
  'desk-clients?filter[status]=0',
  'desk-clients?filter[search]=popescu',
  'desk-clients?filter[search]=example',
  'desk-documents?filter[days]=90',
  'desk-documents?',
  'desk-documents?sort=total',
  'desk-documents?filter[owed]=true',
  'desk-documents?filter[kind]=fiscal',
  'desk-documents?filter[search]=popescu',
  'desk-debts?',
  'desk-debts?filter[held]=false',
  'tickets?',
  'tickets?filter[status]=awaiting_staff',
  'tickets?filter[department]=technical',
  'tickets?filter[search]=disk',
  'desk-payments?filter[days]=90',
  'desk-payments?',
  'desk-payments?filter[state]=failed',
  'desk-payments?filter[provider]=stripe',
  'desk-payments?filter[status]=disputed',
  'desk-payments?filter[amount]=60.50',
  'desk-payments?filter[search]=pi_3a',
  'desk-letters?',
  'desk-letters?filter[state]=failed',
  'desk-jobs?',
  'desk-jobs?filter[state]=failed',
  'staff-actions?',
  'staff-actions?filter[client_id]=4711',
  'staff-actions?filter[search]=outage of day 77',
  'staff-actions?filter[verb]=goodwill',
]

/** What else the screens read at once. */
const reads = [
  'desk-documents/-actions/sums?payload[days]=90',
  'desk-documents/-actions/sums',
  'desk-home/-actions/needs',
  'desk-home/-actions/figures',
]

const missed: string[] = []

/** Prints the percentiles of sorted milliseconds, and remembers what is above its limit. */
function row(name: string, sorted: readonly number[], limit: number): void {
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const p99 = at(0.99)
  if (!(p99 <= limit)) missed.push(name)
  const numbers = [at(0.5), p99, sorted.at(-1) ?? Number.NaN].map((one) => one.toFixed(0).padStart(6))
  console.log(
    `${name.padEnd(62)} p50${numbers[0]}  p99${numbers[1]}  max${numbers[2]} ms${p99 <= limit ? '' : '  MISSED'}`,
  )
}

const load = () => os.loadavg()[0]?.toFixed(1)

const seconds = (start: number) => ((performance.now() - start) / 1000).toFixed(0)

/** Makes the data, unless a kept database has it. */
async function fillDesk(connection: Connection, pool: Pool): Promise<void> {
  if (await pool.kysely.selectFrom('staff_actions').select('id').limit(1).executeTakeFirst()) return
  const start = performance.now()
  await makeOperator(pool)
  await makeDeskYear(connection, { clients, invoices })
  await makeDeskRest(connection, { tickets, staff })
  await giveAccounts(connection, emails)
  await giveStaff(connection)
  console.log(`made in ${seconds(start)} s, load of the machine ${load()}`)
}

/** Computes the figures of reports. */
async function fillFigures(pool: Pool): Promise<void> {
  const start = performance.now()
  await fillReports(pool.kysely)
  console.log(`figures of days computed in ${seconds(start)} s`)
}

type Reader = { readonly url: string; readonly tokens: readonly string[] }

async function measureSearches({ url, tokens }: Reader, texts: readonly string[]): Promise<void> {
  const asked = texts.map((text, at) => ({ text, token: tokens[at % tokens.length] ?? '' }))
  const find = ({ text, token }: (typeof asked)[number]) =>
    get(`${url}/desk-home/-actions/find?payload[search]=${encodeURIComponent(text)}`, token)
  row(`${texts.length} mixed searches`, await each(asked, atOnce, find), most.list)
}

async function measureList({ url, tokens: [token = ''] }: Reader, list: string): Promise<void> {
  const address = (page: number) => `${url}/${list}&page[size]=25&page[number]=${page}`
  const { meta }: { meta: { page: { total: number } } } = JSON.parse(await get(address(1), token))
  const last = Math.max(1, Math.ceil(meta.page.total / 25))
  for (const page of new Set([1, Math.ceil(last / 2), last])) {
    const asked = Array.from({ length: times }, () => address(page))
    const took = await each(asked, atOnce, (one) => get(one, token))
    row(`${list.replace(/[?&]$/, '')} page ${page} of ${last}`, took, most.list)
  }
}

async function measureReports({ url, tokens: [token = ''] }: Reader): Promise<void> {
  const today = new Date()
  const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11, 1))
  const period = `payload[from]=${from.toISOString().slice(0, 10)}&payload[to]=${today.toISOString().slice(0, 10)}`
  const { data }: { data: { id: string; attributes: { kind: string } }[] } = JSON.parse(
    await get(`${url}/reports?page[size]=100`, token),
  )
  for (const kind of reportKinds) {
    const { id = '' } = data.find(({ attributes }) => attributes.kind === kind) ?? {}
    const asked = Array.from({ length: 5 }, () => `${url}/reports/${id}/-actions/figures?${period}`)
    row(`report ${kind}`, await each(asked, 1, (one) => get(one, token)), most.report)
  }
}

async function measure(portal: Portal, connection: Connection): Promise<void> {
  const tokens: string[] = []
  for (const email of emails) tokens.push(await signIn(portal, email))
  const reader = { url: `${portal.url}/api/v1`, tokens }
  await measureSearches(reader, await deskSearches(connection, searches))
  for (const list of lists) await measureList(reader, list)
  for (const read of reads) {
    const asked = Array.from({ length: times }, () => `${reader.url}/${read}`)
    row(read, await each(asked, atOnce, (one) => get(one, tokens[0] ?? '')), most.list)
  }
  await measureReports(reader)
}

const database = await benchDatabase(process.env.DATA)
try {
  await installJobs(database.connection)
  const pool = new Pool(database.connection, 4, () => undefined)
  await fillDesk(database.connection, pool)
    .then(() => fillFigures(pool))
    .finally(() => pool.close())
  // Its jobs would charge all clients meanwhile.
  const portal = await startPortal(database.connection, { WORKERS: '0' })
  await measure(portal, database.connection)
  console.log(`load of the machine ${load()}`)
  await endServers(portal.process)
} finally {
  await database.stop()
}
if (missed.length > 0) console.error(`Above the limit: ${missed.join('; ')}`)
process.exit(missed.length > 0 ? 1 : 0)
