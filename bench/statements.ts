// `npm run bench:statements -- --lines N --killed N --kills N`: a statement of the bank is imported and confirmed over
// HTTP, and imported again; then another one while the portal is killed again and again. Fails when a line has no effect, or two.
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { issueProforma } from '../api/src/money/invoices/invoices.ts'
import { verifyLedger } from '../api/src/money/ledger/verify.ts'
import { withClient } from '../api/src/platform/db/client.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { type Payer, PayingPortal, type Told } from '../api/test/support/paying-process.ts'
import { camt, type Entry } from '../api/test/support/statements.ts'
import { StripeServer } from '../api/test/support/stripe.ts'
import { benchDatabase } from './support/database.ts'
import { startFlags } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '10000' },
    killed: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '10' },
  },
})
const [many, killedMany] = [Number(values.lines), Number(values.killed)]
const kills = Number(values.kills)
const aimSeconds = 20

const database = await benchDatabase()
const pool = new Pool(database.connection, 6, () => undefined)
const db = pool.kysely
await installJobs(database.connection)
await makeOperator(pool)
// One person imports and confirms more than a role may by default.
await sql`update staff_limits set per_action = 1e9, per_day = 1e9 where verb = 'recordBankTransfer'`.execute(
  db,
)
const today = new Date().toISOString().slice(0, 10)

/** Companies of Romania, each with a proforma, and the lines of a statement that pay them. */
async function asked(mark: string, lines: number): Promise<Entry[]> {
  const { rows } = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return sql<{ id: number }>`with c as (
      insert into clients (email, first_name, last_name, language_id, currency_id, status)
      select ${mark}::text || n || '@example.com', 'Ana', n::text, (select min(id) from languages),
        (select id from currencies where code = 'USD'), 1 from generate_series(1, ${lines}::int) n returning id)
    insert into client_entities (client_id, account_type, company_name, address1, city, zip_code, country_id, county_id)
    select c.id, 1, ${mark}::text || ' ' || c.id || ' SRL', 'Strada Lungă 12', 'Dej', '405200', t.id,
      (select id from counties where code = 'RO-CJ')
    from c, countries t where t.code = 'RO' returning client_id as id`.execute(tx)
  })
  const entries: Entry[] = []
  const together = 200
  for (let at = 0; at < rows.length; at += together)
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      for (const { id } of rows.slice(at, at + together)) {
        const issued = await issueProforma(tx, { clientId: id, sum: { net: '50' } })
        entries.push({
          amount: issued.total,
          text: `Plata ${issued.fullNumber}`,
          reference: `${mark}${id}`,
          payer: `${mark} ${id} SRL`,
          iban: `RO09BCYP${String(id).padStart(16, '0')}`,
          day: today,
        })
      }
    })
  return entries
}

const begunWith = 200
const [before, first, second] = [
  await asked('C', begunWith),
  await asked('A', many),
  await asked('B', killedMany),
]
// Their files were made on the days of the proformas.
await sql`delete from graphile_worker._private_jobs`.execute(db)

const stripe = new StripeServer()
const portal = new PayingPortal(database.connection, await stripe.listen(), startFlags())
await portal.start()
let billing: Payer = await portal.billing(pool)
const headers = { 'portico-reason': 'bench' }

function send(url: string, body: object): Promise<Told> {
  return portal.ask(billing, 'POST', `${base}/${url}`, { body, headers })
}

/** Repeats a call while the portal starts again, as a person does. */
async function insist(url: string, body: object) {
  for (;;) {
    const { status, text } = await send(url, body)
    if (status === 200) return JSON.parse(text)
    // The session has ended meanwhile.
    if (status === 401) billing = await portal.billing(pool)
    else if (status !== 0 && status !== 503) throw new Error(`${url} answered ${status}: ${text}`)
    await sleep(50)
  }
}

const importFile = (entries: readonly Entry[]) =>
  insist('bank-statements/-actions/importStatement', {
    filename: 'statement.xml',
    content: Buffer.from(camt(entries)).toString('base64'),
  })

async function confirmAll(): Promise<number> {
  let confirmed = 0
  for (let more = true; more; ) {
    const done = await insist('bank-lines/-actions/confirmCertain', {})
    if (done.failed > 0) throw new Error(`${done.failed} lines could not be confirmed.`)
    confirmed += done.confirmed
    more = done.more
  }
  return confirmed
}

/** Lines without exactly one effect: a payment, a paid proforma, an invoice, and a balance. */
async function differences(mark: string, expected: number): Promise<number> {
  await withClient(database.connection, (client) => client.query('vacuum analyze'))
  const { rows } = await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return sql<{ wrong: number; lines: number; suspense: string; gaps: number }>`
    with mine as materialized (select id, state, client_id, amount from bank_lines where reference like ${mark}::text || '%'),
    by_line as (select bank_line_id as id, count(*) as payments from payments where status = 'succeeded' group by bank_line_id),
    by_client as (select client_id, count(*) as all_payments from payments group by client_id),
    documents as (select m.id, count(*) filter (where i.kind = 'fiscal' and i.total = m.amount) as invoices,
        count(*) filter (where i.kind = 'proforma' and i.paid = m.amount) as paid
      from mine m join invoices i on i.client_id = m.client_id group by m.id),
    l as (select m.state, m.client_id, coalesce(p.payments, 0) as payments, coalesce(c.all_payments, 0) as all_payments,
        coalesce(d.invoices, 0) as invoices, coalesce(d.paid, 0) as paid, b.account_balance as balance
      from mine m left join by_line p on p.id = m.id left join by_client c on c.client_id = m.client_id
      left join documents d on d.id = m.id left join account_balances b on b.client_id = m.client_id)
    select count(*)::int as lines, (count(*) filter (where state <> 'matched' or payments <> 1 or all_payments <> 1
        or invoices <> 1 or paid <> 1 or balance is distinct from 50))::int as wrong,
      (select coalesce(sum(e.amount), 0) from ledger_entries e join ledger_accounts a on a.id = e.account_id
        where a.kind = 'suspense') as suspense,
      (select max(number) - min(number) + 1 - count(*) from invoices where kind = 'fiscal')::int as gaps
    from l`.execute(tx)
  })
  const { wrong = expected, lines = 0, suspense = '', gaps = 1 } = rows[0] ?? {}
  return (
    wrong +
    (expected - lines) +
    Number(Number(suspense) !== 0) +
    Number(gaps) +
    (await verifyLedger(db)).length
  )
}

function hold(right: boolean, what: string): void {
  if (right) return
  console.log(`NOT so: ${what}`)
  process.exitCode = 1
}

const since = (begun: number) => (performance.now() - begun) / 1000

async function timed(entries: readonly Entry[]): Promise<void> {
  const begun = performance.now()
  const { imported } = await importFile(entries)
  const read = since(begun)
  const confirmed = await confirmAll()
  const took = since(begun)
  const again = await importFile(entries)
  const overlap = await importFile([...entries, ...entries.slice(0, 10)])
  hold(imported === many && confirmed === many, `${many} lines are imported and confirmed: ${confirmed}`)
  hold(again.repeated && overlap.imported === 0, 'the same lines again change nothing')
  const wrong = await differences('A', many)
  hold(wrong === 0, `each line has one effect: ${wrong} differences`)
  console.log(
    `${many} lines imported in ${read.toFixed(1)} s and confirmed in ${(took - read).toFixed(1)} s, ${(many / (took - read)).toFixed(0)} a second (the aim for both is ${aimSeconds} s); imported again: nothing; ${wrong} differences; load average ${os.loadavg()[0]?.toFixed(1)}`,
  )
}

async function killed(entries: readonly Entry[]): Promise<void> {
  const begun = performance.now()
  let living = true
  let done = 0
  const killing = (async () => {
    while (living && done < kills) {
      // The first kills meet the import, the others the lines that are being confirmed.
      await sleep(done < 3 ? 200 + 400 * done : 1500)
      if (!living) return
      await portal.kill()
      done += 1
      await portal.start()
    }
  })()
  await importFile(entries)
  await importFile(entries)
  await confirmAll()
  living = false
  await killing
  await importFile(entries)
  const wrong = await differences('B', killedMany)
  hold(wrong === 0, `each line has one effect: ${wrong} differences`)
  console.log(
    `${killedMany} lines imported three times and confirmed while the portal was killed ${done} times: ${wrong} differences, ${since(begun).toFixed(0)} s`,
  )
}

// Statements read the books of a company that has some, by plans that PostgreSQL made for them.
await importFile(before)
await confirmAll()
await withClient(database.connection, (client) => client.query('vacuum analyze'))
await portal.kill()
await portal.start()
await timed(first)
await killed(second)
await portal.end()
stripe.close()
await pool.close()
await database.stop()
process.exit()
