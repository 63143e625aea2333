// `npm run chaos:payments -- --seed N --kills N --retries N`: a long version of the payment tests, over HTTP
// against the portal as a separate process. The portal is killed while Stripe charges, receives every webhook
// many times and out of order, gets the same request thousands of times, and loses responses. At the end
// Stripe, the payments, the ledger and the documents must agree to the cent; only that decides the result.
// With `--bench`, times are compared with their limits too; on a busy machine they mean nothing.

import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { verifyLedger } from '../api/src/money/ledger/verify.ts'
import { Pool } from '../api/src/platform/db/pool.ts'
import { makeOperator } from '../api/test/support/documents.ts'
import { type Payer, PayingPortal, type Told } from '../api/test/support/paying-process.ts'
import { type Fault, StripeServer } from '../api/test/support/stripe.ts'
import { seeded } from '../api/test/support/usage-workload.ts'
import { each, part } from './support/at-once.ts'
import { benchDatabase } from './support/database.ts'
import { startFlags } from './support/portal.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    kills: { type: 'string', default: '20' },
    retries: { type: 'string', default: '10000' },
    bench: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const random = seeded(seed)
console.log(`seed ${seed}`)

const database = await benchDatabase()
const pool = new Pool(database.connection, 4, () => undefined)
const stripe = new StripeServer()
const portal = new PayingPortal(database.connection, await stripe.listen(), startFlags())
const fifty = Array.from({ length: 50 }, (_, n) => n)
const creating = /POST \/v1\/payment_intents$/

function hold(right: boolean, what: string): void {
  if (right) return
  console.log(`NOT so: ${what} (seed ${seed})`)
  process.exitCode = 1
}

/** Checks a time against its limit if that was requested; it has been printed already. */
function holdTime(right: boolean, what: string): void {
  if (values.bench) hold(right, what)
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const busy = ({ status, text }: Told): boolean =>
  status === 503 || (status === 409 && text.includes('idempotency_in_progress'))

let refused = 0
let unanswered = 0

// An idle connection is closed after some seconds, and a slow machine may be idle that long. A lost response is
// repeated; more of them in a row than this mean that the portal is gone.
const mostUnanswered = 100

/** Retries while the portal is busy or did not answer, as a browser does; returns the final response. */
async function insist(who: Payer, key: string = randomUUID()): Promise<Told> {
  for (let silent = 0; ; ) {
    const answer = await portal.topUp(who, 10, key)
    if (answer.status === 0) {
      silent += 1
      unanswered += 1
      if (silent > mostUnanswered)
        throw new Error(`The portal answers nothing: ${answer.text}, seed ${seed}.`)
    } else if (busy(answer)) refused += 1
    else return answer
    await sleep(50)
  }
}

async function count(query: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select (${sql.raw(query)})::int as n`.execute(pool.kysely)
  return rows[0]?.n ?? Number.NaN
}

/** Waits until no payment is open except those that wait for their person, and returns the seconds. */
async function settled(patience = 180): Promise<number> {
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  while ((await count(`select count(*) from payments where status in ('created', 'processing')`)) > 0) {
    if (seconds() > patience) throw new Error(`Payments are still open after ${patience} s, seed ${seed}.`)
    await sleep(200)
  }
  return seconds()
}

/** Waits, with a limit, until Stripe got so many more requests. */
async function charging(times: number): Promise<void> {
  const until = stripe.requests.length + times
  for (let waited = 0; stripe.requests.length < until && waited < 10_000; waited += 5) await sleep(5)
}

async function kills(payers: readonly Payer[]): Promise<void> {
  const rounds: { killed: number; ready: number }[] = []
  let again: { who: Payer; key: string }[] = []
  for (let round = 0; round < Number(values.kills); round++) {
    const asked = payers.map((who) => ({ who, key: randomUUID() }))
    const answers = [...asked, ...again].map(({ who, key }) => portal.topUp(who, 10, key))
    await charging(1 + Math.floor(payers.length * random()))
    await sleep(300 * random())
    const killed = Date.now()
    await portal.kill()
    await Promise.all(answers)
    await portal.start()
    rounds.push({ killed, ready: Date.now() })
    // Half of the people retry when they got no response, as a browser does; the others never come back.
    again = asked.filter(() => random() < 0.5)
  }
  await settled()
  const { rows } = await sql<{ begun: Date | string; settled: Date | string }>`
    select begun_at as begun, settled_at as settled from payments where settled_at is not null`.execute(
    pool.kysely,
  )
  const late = rows.flatMap(({ begun, settled: done }) => {
    const [from, to] = [new Date(begun).getTime(), new Date(done).getTime()]
    const open = rounds.filter(({ killed }) => from < killed && to > killed)
    // A process that is killed again during recovery had no chance, so only the last start counts.
    const last = open.at(-1)
    return last ? [(to - last.ready) / 1000] : []
  })
  const worst = Math.max(...late)
  holdTime(worst < 60, `a payment was unknown for ${worst} s after a start`)
  console.log(
    `${rows.length} top-ups while the portal was killed ${rounds.length} times: ${late.length} were open at a kill, each settled once, the last ${worst.toFixed(1)} s after the start that followed`,
  )
}

/** Pays once first: a card without a settled payment may not have many pending charges. */
async function payOnce(payer: Payer): Promise<void> {
  const { data } = JSON.parse((await insist(payer)).text)
  const { rows } = await sql<{
    ref: string
  }>`select provider_ref as ref from payments where id = ${data.id}`.execute(pool.kysely)
  const ref = rows[0]?.ref ?? ''
  stripe.decide(ref, 'succeeded')
  await portal.deliver(stripe.event('payment_intent.succeeded', { id: ref }))
  const isPaid = () =>
    count(`select count(*) from payments where id = ${Number(data.id)} and settled_at is not null`)
  for (let waited = 0; (await isPaid()) === 0 && waited < 60_000; waited += 100) await sleep(100)
}

async function messages(payer: Payer): Promise<void> {
  await payOnce(payer)
  const before = await count(`select count(*) from payments where settled_at is not null`)
  await each(fifty, 10, () => insist(payer))
  const { rows } = await sql<{ ref: string }>`select provider_ref as ref from payments
    where client_id = ${payer.id} and status = 'requires_action'`.execute(pool.kysely)
  for (const { ref } of rows) stripe.decide(ref, 'succeeded')
  const events = rows.map(({ ref }) => stripe.event('payment_intent.succeeded', { id: ref }))
  const copies = shuffled(Array.from({ length: 20 }, () => events).flat())
  const wrong: number[] = []
  const took = await each(copies, 20, async (event) => {
    const { status } = await portal.deliver(event)
    if (status !== 200) wrong.push(status)
  })
  const done = () => count(`select count(*) from payments where settled_at is not null`)
  const begun = performance.now()
  while ((await done()) < before + 50 && performance.now() - begun < 60_000) await sleep(100)
  hold((await done()) === before + 50, `${copies.length} copies of 50 messages are 50 effects`)
  hold(wrong.length === 0, `every copy is answered 200: ${wrong.join()}`)
  holdTime(Number(part(took, 0.99)) < 200, 'the answer to a message takes less than 200 ms at p99')
  console.log(
    `${copies.length} copies of ${events.length} messages in random order, 20 at a time: ${(await done()) - before} effects, answered in p50 ${part(took, 0.5)} ms, p99 ${part(took, 0.99)} ms`,
  )
}

async function forgeries(): Promise<void> {
  const event = stripe.event('payment_intent.succeeded', { id: 'pi_1' })
  const forged: Readonly<Record<string, { body: string; signature: string }>> = {
    'another secret': stripe.event('payment_intent.succeeded', { id: 'pi_1' }, { secret: 'whsec_another00' }),
    'too old': stripe.event(
      'payment_intent.succeeded',
      { id: 'pi_1' },
      { at: Math.floor(Date.now() / 1000) - 400 },
    ),
    'of another body': { ...event, signature: stripe.event('x', { id: 'pi_2' }).signature },
    'no signature': { ...event, signature: '' },
    'no JSON': { body: 'x'.repeat(1000), signature: event.signature },
    'just a megabyte': { body: 'x'.repeat(1_048_576), signature: event.signature },
    'more than a megabyte': { body: 'x'.repeat(1_048_577), signature: event.signature },
    'deep JSON': { body: '['.repeat(100_000), signature: event.signature },
  }
  for (const [name, message] of Object.entries(forged)) {
    const statuses = new Set<number>()
    const took = await each(fifty, 1, async () => {
      statuses.add((await portal.deliver(message)).status)
    })
    hold(
      [...statuses].every((status) => status >= 400 && status < 500),
      `${name} is refused: ${[...statuses]}`,
    )
    holdTime(Number(part(took, 0.99)) < 50, `${name} is refused in less than 50 ms`)
    console.log(
      `  ${name.padEnd(22)} ${[...statuses]}  p50 ${part(took, 0.5)} ms, slowest of 50 ${part(took, 1)} ms`,
    )
  }
}

async function topUps(payer: Payer): Promise<void> {
  const begun = performance.now()
  const wrong: string[] = []
  const one = async () => {
    const { status, text } = await insist(payer)
    if (status !== 201) wrong.push(`${status} ${text}`)
  }
  // A card that was never charged is not charged so often at once.
  await one()
  const took = await each(fifty.slice(1), 50, one)
  hold(wrong.length === 0, `each is answered 201: ${wrong.length} are not, as ${wrong[0]}`)
  await settled()
  const { rows } = await sql<{
    balance: string
    numbers: number
  }>`select trim_scale(account_balance)::text as balance,
      (select count(distinct number)::int from invoices where client_id = ${payer.id} and kind = 'fiscal') as numbers
    from account_balances where client_id = ${payer.id}`.execute(pool.kysely)
  hold(
    rows[0]?.balance === '500' && rows[0]?.numbers === 50,
    `50 top-ups are 50 invoices: ${JSON.stringify(rows)}`,
  )
  console.log(
    `50 top-ups of one account at once: balance ${rows[0]?.balance}, ${rows[0]?.numbers} invoices, ${(performance.now() - begun).toFixed(0)} ms in all, slowest answer ${part(took, 1)} ms`,
  )
}

async function retries(payers: readonly Payer[]): Promise<void> {
  const all = Number(values.retries)
  const before = await count('select count(*) from payments')
  const keys = Array.from({ length: Math.ceil(all / 20) }, (_, n) => ({
    key: randomUUID(),
    who: payers[n % payers.length],
    answers: new Set<string>(),
  }))
  const earlier = refused
  const begun = performance.now()
  await each(shuffled(Array.from({ length: 20 }, () => keys).flat()), 16, async ({ key, who, answers }) => {
    if (!who) return
    const { status, text } = await insist(who, key)
    answers.add(`${status} ${text}`)
  })
  const sent = 20 * keys.length + refused - earlier
  const seconds = (performance.now() - begun) / 1000
  const made = (await count('select count(*) from payments')) - before
  hold(made === keys.length, `${keys.length} keys are as many payments: ${made}`)
  const other = keys.find(({ answers }) => answers.size !== 1)
  hold(
    other === undefined,
    `the same key is answered the same, byte for byte: ${[...(other?.answers ?? [])].join('\n')}`,
  )
  console.log(
    `${sent} POSTs with ${keys.length} keys, 16 at a time: ${made} payments, ${made - keys.length} double, each key one answer; ${unanswered} connections closed without one; ${(sent / seconds).toFixed(0)} requests/s`,
  )
}

async function lostAnswers(payers: readonly Payer[]): Promise<void> {
  const faults: Fault[][] = [
    ['reset_after', 'reset_after'],
    ['500_after', '500_after'],
    ['reset_before', 'reset_before'],
    ['timeout_before', 'timeout_before'],
  ]
  let unknown = 0
  for (const fault of faults) {
    stripe.failNext(creating, ...fault)
    const [who] = shuffled(payers)
    const answer = who && (await portal.topUp(who, 10))
    if (answer?.status === 201 && answer.text.includes('outcome_unknown')) unknown += 1
    else console.log(`  ${fault[0]}: ${answer?.status} ${answer?.text}`)
  }
  hold(
    unknown === faults.length,
    `an answer that is lost is shown as unknown: ${unknown} of ${faults.length}`,
  )
  const seconds = await settled()
  console.log(
    `${faults.map(([name]) => name).join(', ')}: ${unknown} shown as unknown, all known ${seconds.toFixed(0)} s after the last`,
  )
}

/** Amounts that differ from the requested ones. */
async function otherAmount(payer: Payer): Promise<void> {
  const answer = await portal.topUp(payer, 10)
  const { data } = JSON.parse(answer.text)
  const { rows } = await sql<{
    ref: string
  }>`select provider_ref as ref from payments where id = ${data.id}`.execute(pool.kysely)
  const ref = rows[0]?.ref ?? ''
  stripe.decide(ref, 'succeeded')
  Object.assign(stripe.things.get(ref) ?? {}, { amount_received: 1 })
  await portal.deliver(stripe.event('payment_intent.succeeded', { id: ref }))
  const alerts = () => count(`select count(*) from staff_alerts where payment_id = ${Number(data.id)}`)
  const begun = performance.now()
  while ((await alerts()) === 0 && performance.now() - begun < 10_000) await sleep(50)
  const wrong = await count(
    `select count(*) from payments where id = ${Number(data.id)} and settled_at is not null`,
  )
  hold(wrong === 0 && (await alerts()) === 1, 'another amount is not settled, and staff are alerted')
  console.log('another amount than was requested: not settled, staff are alerted once')
}

/** Stripe, the payments, the ledger and the documents agree. */
async function agree(): Promise<void> {
  const intents = [...stripe.things.values()].filter(({ object }) => object === 'payment_intent')
  const charged = intents.filter(
    ({ status, amount, amount_received }) => status === 'succeeded' && amount === amount_received,
  )
  const cents = charged.reduce((sum, { amount }) => sum + Number(amount), 0)
  const paid = await count(`select 100 * sum(gross) from payments where settled_at is not null`)
  const posted = await count(`select -100 * sum(amount) from ledger_entries e
    join ledger_accounts a on a.id = e.account_id where a.code like 'psp:%'`)
  const documents = await count(`select 100 * sum(total) from invoices where kind = 'fiscal'`)
  const sums = { stripe: cents, payments: paid, books: posted, invoices: documents }
  hold(new Set(Object.values(sums)).size === 1, `all agree: ${JSON.stringify(sums)}`)
  const doubles = intents.length - new Set(intents.map(({ metadata }) => Object(metadata).payment_id)).size
  hold(doubles === 0, `nobody is charged twice: ${doubles}`)
  const gaps =
    await count(`select coalesce(sum(n), 0) from (select max(number) - min(number) + 1 - count(distinct number) as n
    from invoices group by series_id, proforma_series_id) x`)
  hold(gaps === 0, `numbers are without a gap: ${gaps}`)
  const differences = await verifyLedger(pool.kysely)
  hold(differences.length === 0, `the books agree with themselves: ${JSON.stringify(differences)}`)
  hold(stripe.violations.length === 0, `every request is one of Stripe's: ${stripe.violations.slice(0, 3)}`)
  console.log(
    `Stripe, payments, books and invoices: ${(cents / 100).toFixed(2)} each; ${charged.length} charges, ${doubles} double; ${gaps} gaps in ${await count('select count(*) from invoices')} numbers; ${differences.length} differences in the books; ${stripe.requests.length} requests to Stripe, ${stripe.violations.length} wrong`,
  )
}

await portal.start()
await makeOperator(pool)
const payers: Payer[] = []
for (let n = 0; n < 9; n++) payers.push(await portal.payer(pool, stripe))
const [eager = { id: 0, email: '', token: '' }, ...others] = payers
const careful = await portal.payer(pool, stripe, 'sca')
await kills(others)
await messages(careful)
await forgeries()
await topUps(eager)
await retries(others)
await lostAnswers(others)
await otherAmount(careful)
await agree()
const peak = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${portal.pid}/status`, 'utf8'))?.[1]
console.log(`the portal held at most ${(Number(peak) / 1024).toFixed(0)} MiB`)
await portal.end()
stripe.close()
await pool.close()
await database.stop()
process.exit()
