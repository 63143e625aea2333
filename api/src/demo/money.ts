import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { grantEnding } from '#money/balance/trial.ts'
import { issueProforma } from '#money/invoices/invoices.ts'
import { grantGoodwill } from '#money/ledger/credit.ts'
import { bringOver } from '#money/ledger/opening.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import type { simulatedDay } from '#workspaces/engines/simulated/usage-figures.ts'
import { type DemoAccount, demoData } from './data.ts'
import { type Life, liveThrough } from './past.ts'
import { agePlans } from './plans/plan-history.ts'

const rateAtOnce = 5000
/** The length of the demo's usage history in days: a quarter of a year, so that three months are complete. */
const historyDays = 95

/** The usage of a built-in engine's panel on a past day. */
export type UseOfDay = typeof simulatedDay

type Day = { readonly on: string; readonly amount: string }
type Account = { readonly id: number; readonly of: DemoAccount; readonly use: readonly Day[] }

/** Backdates the demo's accounts to their history. */
async function age(tx: Database, clientId: number, days: number): Promise<void> {
  const older = sql`created_at = created_at - ${days} * interval '1 day'`
  await sql`update clients set ${older} where id = ${clientId}`.execute(tx)
  for (const table of ['projects', 'panels'])
    await sql`update ${sql.table(table)} set ${older} where client_id = ${clientId}`.execute(tx)
}

/** Inserts the usage of a client's panels on past days, like ingestion. */
async function count(
  tx: Database,
  clientId: number,
  past: readonly string[],
  useOfDay: (panel: string, day: string) => ReturnType<UseOfDay>,
): Promise<void> {
  const panels = await tx
    .selectFrom('panels')
    .select('external_id')
    .where('client_id', '=', clientId)
    .where('external_id', 'is not', null)
    .execute()
  const counted = panels.flatMap(({ external_id: panel }) =>
    panel === null ? [] : past.flatMap((day) => useOfDay(panel, day)),
  )
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select u.day, u.panel, u.resource, m.id, u.quantity, 24
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
      u (panel bigint, resource text, meter text, day date, quantity numeric)
    join meters m on m.code = u.meter`.execute(tx)
}

async function rate(tx: Database, signal: AbortSignal | undefined): Promise<void> {
  // Sums of one group are rated together, so a batch may be larger.
  for (let rated = rateAtOnce; rated >= rateAtOnce; ) {
    signal?.throwIfAborted()
    const { rows } = await sql<{ rated: number }>`select rated from usage_rate(${rateAtOnce})`.execute(tx)
    rated = rows[0]?.rated ?? 0
    // Statistics must be refreshed: the planner still assumes that the tables are empty.
    await sql`analyze usage_meter_days, usages, usage_lines, usage_panel_days, usage_client_days`.execute(tx)
  }
}

/** The cost of complete days: that of today is charged when it is over. */
const daysOf = async (tx: Database, clientId: number): Promise<Day[]> => {
  const { rows } = await sql<Day>`select usage_on as on, rated_amount as amount from usage_client_days
    where client_id = ${clientId} and usage_on < clock_today() order by usage_on`.execute(tx)
  return rows
}

const sum = (days: readonly Day[]): Big => days.reduce((all, { amount }) => all.plus(amount), new Big(0))

/** The opening balance from which the regular deposits lead to the balance that the demo wants today. */
function openingFor({ of, use }: Account): Big {
  const needed = sum(use).plus(of.balance)
  if (!of.topUp) return needed
  const { below, amount } = of.topUp
  return needed.minus(below).mod(amount).plus(below)
}

/** The days and amounts of deposits: whenever less was left after a day than the limit. */
function topUpsOf({ of: { topUp }, use }: Account, opening: Big): Map<string, string> {
  const paid = new Map<string, string>()
  let held = opening
  for (const { on, amount } of use) {
    held = held.minus(amount)
    if (!topUp || held.gte(topUp.below)) continue
    paid.set(on, topUp.amount)
    held = held.plus(topUp.amount)
  }
  return paid
}

/** Books the opening balance of an account; returns its planned deposits. */
async function begin(tx: Database, account: Account, today: string): Promise<Life> {
  const { id, of, use } = account
  // For a debtor only the unpaid days are charged: earlier usage is paid.
  const owed = of.negativeDays === undefined ? undefined : addDays(today, -of.negativeDays)
  const opening = owed === undefined ? openingFor(account) : sum(use.filter(({ on }) => on < owed))
  const first = use[0]?.on ?? today
  await bringOver(tx, id, { balance: opening.toFixed(), credit: '0', on: addDays(first, -1) })
  return { id, topUps: topUpsOf(account, opening), paidTwice: of.paidTwice ?? false }
}

/** Adds today's state besides deposits: credit, and a proforma that awaits a transfer. */
async function end(tx: Database, { id: clientId, of }: Account): Promise<void> {
  const goodwill = { key: `demo:goodwill:${clientId}`, clientId, currency: of.currency, amount: of.credit }
  if (of.credit !== '0') {
    await because(tx, 'data of the demo')
    await grantGoodwill(tx, goodwill)
  }
  if (of.proforma !== undefined) await issueProforma(tx, { clientId, sum: { net: of.proforma } })
}

/** Starts a trial some days ago, with its usage paid from credit. */
async function tryOut(tx: Database, { id, of, use }: Account, today: string): Promise<void> {
  const { trialDaysLeft: left = 0 } = of
  const began = use[0]?.on ?? today
  await tx.insertInto('client_features').values({ client_id: id, feature: 'trial', enabled: true }).execute()
  const credit = { key: `trial:${id}`, amount: of.credit, expiresOn: addDays(today, left + 1), on: began }
  await grantEnding(tx, id, credit)
  await sql`select charge_client_day(${id}, day) from unnest(${use.map(({ on }) => on)}::date[]) day
    order by day`.execute(tx)
}

/**
 * Whether another process is seeding, the ledger has entries, or panels are not synced yet, so that their
 * usage has no names.
 */
async function isSeeded(tx: Database): Promise<boolean> {
  const emails = demoData.map(({ email }) => email)
  const { rows } = await sql<{
    begun: boolean
  }>`select not pg_try_advisory_xact_lock(${advisoryLocks.demoMoney}) or exists (
    select from ledger_transactions t join clients c on c.id = t.client_id where c.email = any(${emails}::citext[]))
    or exists (select from panels where external_id is null and status = 'provisioning') as begun`.execute(tx)
  return rows[0]?.begun ?? true
}

export type Past = {
  readonly useOfDay: UseOfDay
  /** Payments within the same transaction. */
  readonly paymentScope: PaymentScope
  readonly signal?: AbortSignal | undefined
}

/** Inserts and rates the usage of the demo accounts; returns each with its days. */
async function use(tx: Database, today: string, { useOfDay, signal }: Past): Promise<Account[]> {
  const ids = new Map<DemoAccount, number>()
  for (const of of demoData) {
    signal?.throwIfAborted()
    const { id } = await tx
      .selectFrom('clients')
      .select('id')
      .where('email', '=', of.email)
      .executeTakeFirstOrThrow()
    const days = of.trialDays ?? historyDays
    await age(tx, id, days)
    const past = Array.from({ length: days }, (_, n) => addDays(today, n - days))
    const earlier = await agePlans(tx, id, { of, first: addDays(today, -days), today })
    await count(tx, id, past, (panel, day) =>
      useOfDay(panel, day, earlier && day < earlier.until ? earlier.enginePlan : null),
    )
    ids.set(of, id)
  }
  await rate(tx, signal)
  const accounts: Account[] = []
  for (const [of, id] of ids) accounts.push({ id, of, use: await daysOf(tx, id) })
  return accounts
}

/**
 * Gives the demo's accounts a history, once: usage, charges, payments, and documents, by the regular rules.
 * It takes seconds, so it aborts on the signal; the next start begins it again.
 */
export async function seedMoney(tx: Database, past: Past): Promise<void> {
  if (await isSeeded(tx)) return
  // Three months at once take longer than a request may, on a busy machine.
  await sql`set local statement_timeout = 0`.execute(tx)
  const { rows } = await sql<{ today: string }>`select clock_today() as today`.execute(tx)
  const today = rows[0]?.today ?? ''
  const accounts = await use(tx, today, past)
  const lasting = accounts.filter(({ of }) => of.trialDaysLeft === undefined)
  const lives: Life[] = []
  for (const account of lasting) lives.push(await begin(tx, account, today))
  await liveThrough({ tx, ...past, first: addDays(today, -historyDays), today, signal: past.signal }, lives)
  for (const account of lasting) await end(tx, account)
  for (const account of accounts) if (!lasting.includes(account)) await tryOut(tx, account, today)
}
