// `npm run bench:refunds -- --refunds N --ways N --http N --rounds N`: long races between refunds. Each of
// many deposits is refunded by several requests at once, and the outcome of each is reported several times at
// once; over HTTP two people press the button for the same payment; and fifty compete for one of the ten that
// are left. Fails when anything is lost or doubled, when the ledger differs, or, on a quiet machine, when a
// request waits too long for the others. A count of 0 skips its part.
import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { deposit, refund } from '../api/src/money/ledger/deposits.ts'
import { reverse } from '../api/src/money/ledger/reverse.ts'
import { verifyLedger } from '../api/src/money/ledger/verify.ts'
import { type Database, Pool } from '../api/src/platform/db/pool.ts'
import { transact } from '../api/src/platform/db/transact.ts'
import { Problem } from '../api/src/platform/errors/problem.ts'
import { installJobs } from '../api/src/platform/jobs/install.ts'
import { makeAccount } from '../api/test/support/account.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { type Payer, PayingPortal, type Told } from '../api/test/support/paying-process.ts'
import { StripeServer } from '../api/test/support/stripe.ts'
import { each, part } from './support/at-once.ts'
import { benchDatabase } from './support/database.ts'
import { startFlags } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    refunds: { type: 'string', default: '5000' },
    ways: { type: 'string', default: '4' },
    http: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '20' },
  },
})
const refunds = Number(values.refunds)
const ways = Number(values.ways)
const workers = 20
const accounts = 80
const longestWaitMs = 50

const database = await benchDatabase()
await installJobs(database.connection)
const pool = new Pool(database.connection, workers, () => undefined)
const db = pool.kysely
const post = <T>(work: (tx: Database) => Promise<T>) => transact(pool.kysely, 'read write', work)
const wire = { currency: 'USD', on: '2026-10-01', means: 'psp:sandbox' } as const
const upTo = (many: number) => Array.from({ length: many }, (_, n) => n)
const since = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`

function hold(right: boolean, what: string): void {
  if (right) return
  console.log(`NOT so: ${what}`)
  process.exitCode = 1
}

/** Runs it, and returns the code of its refusal. */
const refusal = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Problem) return error.code
      throw error
    },
  )

async function sound(clients: readonly number[], balance: string): Promise<void> {
  const { rows } = await sql<{ balance: string; clients: number }>`
    select trim_scale(account_balance)::text as balance, count(*)::int as clients from account_balances
    where client_id = any(${[...clients]}::int8[]) group by 1`.execute(db)
  const right = rows.length === 1 && rows[0]?.balance === balance && rows[0].clients === clients.length
  hold(right, `everybody is left with ${balance}: ${JSON.stringify(rows)}`)
  const differences = await verifyLedger(db)
  hold(
    differences.length === 0,
    `the books agree with themselves: ${JSON.stringify(differences.slice(0, 5))}`,
  )
}

/** Clients with one deposit of five for each refund, and their transactions. */
async function paidIn(): Promise<{ clients: number[]; paid: { id: number; clientId: number }[] }> {
  const clients: number[] = []
  for (let n = 0; n < accounts; n++)
    clients.push((await makeAccount(pool, { projects: 1, panels: 1, opening: null })).id)
  const paid: { id: number; clientId: number }[] = []
  await each(upTo(refunds), workers, async (n) => {
    const clientId = clients[n % accounts] ?? 0
    const { id } = await post((tx) => deposit(tx, { ...wire, clientId, key: `in:${randomUUID()}`, net: '5' }))
    paid.push({ id, clientId })
  })
  return { clients, paid }
}

/** Each request in several copies next to each other, so that they arrive at once. */
const raced = <T>(all: readonly T[]) => all.flatMap((one) => upTo(ways).map((way) => ({ one, way })))

async function takenBack(): Promise<void> {
  const { clients, paid } = await paidIn()
  const codes = new Map<string | undefined, number>()
  const begun = performance.now()
  await each(raced(paid), workers, async ({ one: { id }, way }) => {
    const code = await refusal(post((tx) => reverse(tx, id, `back:${way}:${id}`)))
    codes.set(code, (codes.get(code) ?? 0) + 1)
  })
  const [granted = 0, refused = 0] = [codes.get(undefined), codes.get('already_reversed')]
  hold(granted === refunds, `${refunds} deposits are taken back: ${granted}`)
  hold(
    refused === refunds * (ways - 1),
    `later ones are refused with the reason: ${JSON.stringify([...codes])}`,
  )
  console.log(
    `${refunds} deposits of ${accounts} accounts, each taken back by ${ways} at once, ${workers} at work: ${granted} taken back, ${refused} refused, ${since(begun)}`,
  )
  await sound(clients, '0')
}

async function repeated(): Promise<void> {
  const { clients, paid } = await paidIn()
  const answers = new Map<number, { readonly ids: Set<number>; posted: number; times: number }>()
  const begun = performance.now()
  await each(raced(paid), workers, async ({ one: { id, clientId } }) => {
    const answer = await post((tx) => refund(tx, { ...wire, clientId, key: `refund:${id}`, net: '5' }))
    const known = answers.get(id) ?? { ids: new Set<number>(), posted: 0, times: 0 }
    known.ids.add(answer.id)
    answers.set(id, { ...known, posted: known.posted + Number(answer.posted), times: known.times + 1 })
  })
  const once = [...answers.values()].filter(
    ({ ids, posted, times }) => ids.size === 1 && posted === 1 && times === ways,
  )
  hold(once.length === refunds, `${refunds} refunds are made once each: ${once.length}`)
  console.log(
    `${refunds} refunds, each requested ${ways} times at once, ${workers} at work: ${once.length} made once, with one answer to all ${ways}, ${since(begun)}`,
  )
  await sound(clients, '0')
}

async function fiftyForTen(): Promise<void> {
  const rounds = Number(values.rounds)
  const took: number[] = []
  const clients: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { id: clientId } = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
    clients.push(clientId)
    await post((tx) => deposit(tx, { ...wire, clientId, key: `ten:${round}`, net: '10' }))
    let passed = 0
    const codes = new Set<string>()
    const one = async (n: number) => {
      const code = await refusal(
        post((tx) => refund(tx, { ...wire, clientId, key: `of ten:${round}:${n}`, net: '1' })),
      )
      if (code === undefined) passed += 1
      else codes.add(code)
    }
    took.push(...(await each(upTo(50), workers, one)))
    hold(passed === 10 && [...codes].join() === 'insufficient_balance', `ten of fifty pass: ${passed}`)
  }
  took.sort((a, b) => a - b)
  hold(
    Number(part(took, 0.99)) < longestWaitMs,
    `who waits for the others waits less than ${longestWaitMs} ms`,
  )
  console.log(
    `${rounds} times 50 for 10 that are left, ${workers} at once: 10 passed each time, p50 ${part(took, 0.5)} ms, p99 ${part(took, 0.99)} ms (the aim is ${longestWaitMs})`,
  )
  await sound(clients, '0')
}

/** Retries while the portal is busy, as a browser does; the same key makes it the same request. */
async function insist(ask: () => Promise<Told>): Promise<Told> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    const busy = [0, 503].includes(answer.status) || answer.text.includes('idempotency_in_progress')
    if (!busy || tries > 200) return answer
    await sleep(50)
  }
}

async function topUp(portal: PayingPortal, who: Payer): Promise<{ who: Payer; id: string }> {
  const key = randomUUID()
  const { status, text } = await insist(() => portal.topUp(who, 10, key))
  if (status !== 201) throw new Error(`A top-up was answered ${status}: ${text}`)
  return { who, id: JSON.parse(text).data.id }
}

async function count(query: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select (${sql.raw(query)})::int as n`.execute(db)
  return rows[0]?.n ?? Number.NaN
}

/** Waits until none of these waits for the provider any more. */
async function done(table: string, waiting: string): Promise<void> {
  const begun = performance.now()
  const left = () => count(`select count(*) from ${table} where status in (${waiting})`)
  while ((await left()) > 0) {
    if (performance.now() - begun > 180_000) throw new Error(`Some of ${table} are still open.`)
    await sleep(200)
  }
}

const code = ({ status, text }: Told): string =>
  status === 200 ? 'granted' : `${status} ${JSON.parse(text).errors?.[0]?.code}`

async function overHttp(): Promise<void> {
  const many = Number(values.http)
  const stripe = new StripeServer()
  const portal = new PayingPortal(database.connection, await stripe.listen(), startFlags())
  await portal.start()
  await makeOperator(pool)
  const payers: Payer[] = []
  for (let n = 0; n < 10; n++) payers.push(await portal.payer(pool, stripe))
  const paid: { who: Payer; id: string }[] = []
  // A card that was never charged is not charged often at once.
  for (const who of payers) paid.push(await topUp(portal, who))
  await each(upTo(many - payers.length), 8, async (n) => {
    const who = payers[n % payers.length]
    if (who) paid.push(await topUp(portal, who))
  })
  await done('payments', `'created', 'processing'`)
  const answers = new Map<string, string[]>()
  const begun = performance.now()
  const twice = paid.flatMap((one) => [one, one])
  await each(twice, 8, async ({ who, id }) => {
    const key = randomUUID()
    const url = `${base}/transactions/${id}/-actions/refund`
    const answer = await insist(() => portal.ask(who, 'POST', url, { body: { reason: 'Not needed' }, key }))
    answers.set(id, [...(answers.get(id) ?? []), code(answer)])
  })
  await done('payment_refunds', `'pending'`)
  const right = [...answers.values()].filter((two) => two.filter((one) => one === 'granted').length === 1)
  const refused = new Set([...answers.values()].flat().filter((one) => one !== 'granted'))
  hold(right.length === paid.length, `one of two is granted: ${JSON.stringify([...answers].slice(0, 5))}`)
  hold(
    [...refused].every((one) => /^409 (conflict|insufficient_balance)$/.test(one)),
    `the other is refused with a reason: ${[...refused]}`,
  )
  const made = {
    stripe: [...stripe.things.values()].filter(({ object }) => object === 'refund').length,
    refunds: await count(`select count(*) from payment_refunds where status = 'succeeded'`),
    payments: await count(`select count(*) from payments where status = 'refunded' and refunded = gross`),
    books: await count(`select count(*) from ledger_transactions where source_type = 'refund'`),
    notes: await count(`select count(distinct credit_note_id) from payment_refunds`),
  }
  hold(
    Object.values(made).every((one) => one === paid.length),
    `all agree: ${JSON.stringify(made)}`,
  )
  hold(stripe.violations.length === 0, `every request is one of Stripe's: ${stripe.violations.slice(0, 3)}`)
  console.log(
    `${paid.length} deposits, each given back by two over HTTP at once: ${right.length} times one granted and one refused (${[...refused].join(', ')}); ${made.stripe} refunds at Stripe, ${made.books} in the books, ${made.notes} credit notes, ${since(begun)} until the last`,
  )
  await sound(
    payers.map(({ id }) => id),
    '0',
  )
  await portal.end()
  stripe.close()
}

const load = () => os.loadavg()[0]?.toFixed(1)
console.log(`load average ${load()}`)
if (Number(values.rounds) > 0) await fiftyForTen()
if (refunds > 0) {
  await takenBack()
  await repeated()
}
if (Number(values.http) > 0) await overHttp()
console.log(`load average ${load()}`)
await pool.close()
await database.stop()
process.exit()
