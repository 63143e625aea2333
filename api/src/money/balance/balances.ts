import { type BillingStatus, billingStatus } from '@portico/contract/rules/billing-status.ts'
import { sql } from 'kysely'
import { holdAccounts } from '#money/ledger/held.ts'
import { isHeld } from '#money/payments/automatic/held.ts'
import { requestAutoBilling } from '#money/payments/automatic/outcome.ts'
import type { Letter } from '#notifications/letters/letters.ts'
import { notify } from '#notifications/notifications.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue, enqueueEach } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { resumePanel, suspendPanel } from '#workspaces/panels.ts'
import { lowSince, type Policy, type Standing, statusOf, stepsDue } from './dunning.ts'
import { endCredit } from './trial.ts'

type Deps = { readonly tx: Database; readonly vault: Vault; readonly now: Date }

/** The reasons of automatic suspensions, as engines receive them; suspensions by staff are not touched. */
export const suspendReasons = { unpaid: 'unpaid', trial: 'trial_ended' } as const

type Found = Omit<Standing, 'status' | 'inTrial'> & {
  status: BillingStatus
  today: string
  email: string
  first_name: string
  language: string
  currency: string
  total: string
  negative_since: string | null
  low_since: string | null
  runs_out: string | null
  suspend_on: string | null
  trial_running: boolean
  trial_over: boolean
}

/** Whether a panel is suspended by these rules, so that they may resume it too. */
export const isForDebt = (reason: string | null): boolean =>
  reason === suspendReasons.unpaid || reason === suspendReasons.trial

/** Reads an account's complete standing in one query; SQL compares the amounts, because numeric is exact. */
async function standing(tx: Database, clientId: number): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select c.billing_status as status, t.today, c.email, c.first_name, l.code as language, b.currency,
      b.account_balance + b.credit_balance as total,
      -- The rest of a trial's credit still pays for its last day, but no longer prevents suspension.
      sign(b.account_balance + b.credit_balance - case when c.trial_ended_on is not null and not paid.ever
        then (select coalesce(sum(remaining), 0) from ending_credit(c.id)) else 0 end)::int as sign,
      b.account_balance + b.credit_balance < p.warn_below as "belowWarning",
      b.account_balance + b.credit_balance < -p.credit_limit as "beyondLimit",
      b.negative_days as "negativeDays", b.exhaustion_date - t.today as "lastsDays",
      -- What was charged after a backup may cover the debt, so it suspends nobody, and resumes nobody either.
      coalesce(c.dunning_hold_until >= t.today, false)
        or (c.billing_status <> ${billingStatus.suspended} and ${isHeld('c.id')}) as held,
      a.negative_since, c.low_since, b.exhaustion_date as runs_out, b.banner ->> 'suspend_on' as suspend_on,
      -- The trial of an unconfirmed account has not begun yet.
      c.trial_ended_on is null and (c.trial_ends_at is not null or (c.email_verified_at is null and c.billing_status = ${billingStatus.trial}
        and not exists (select from ledger_transactions x where x.client_id = c.id))) as trial_running,
      c.trial_ends_at is not null and (c.trial_ends_at <= clock_now() or (b.credit_balance = 0 and not c.trial_credit_due) or paid.ever) as trial_over,
      c.trial_ended_on is not null and not paid.ever as "trialSpent"
    from clients c
    join billing_profiles b on b.id = c.id
    join account_balances a on a.client_id = c.id
    join languages l on l.id = c.language_id
    cross join lateral policies_in(c.currency_id) p
    cross join lateral (select clock_today() as today) t
    cross join lateral (
      select exists (select from ledger_transactions x where x.client_id = c.id and x.kind in ('deposit', 'opening')) as ever
    ) paid
    where c.id = ${clientId}`.execute(tx)
  return rows[0]
}

const policyOf = (tx: Database): Promise<Policy> =>
  tx
    .selectFrom('billing_policies')
    .select(['low_days', 'negative_days', 'warned_letter_days', 'warn_days', 'suspend_days'])
    .executeTakeFirstOrThrow()

/** Ends the trial when its day has come, its credit is spent, or something was paid. */
async function endTrial(tx: Database, clientId: number): Promise<void> {
  await sql`update clients set trial_ended_on = clock_today() where id = ${clientId}`.execute(tx)
  await sql`update client_features set enabled = false where client_id = ${clientId} and feature = 'trial'`.execute(
    tx,
  )
}

async function write({ tx, vault }: Deps, found: Found, letter: Letter): Promise<void> {
  await queueMail({ tx, vault }, { to: found.email, language: found.language, letter })
}

const letterParameters = ({
  first_name: name,
  total: amount,
  currency,
  negativeDays: days,
  suspend_on: on,
}: Found) => ({
  name,
  held: { amount, currency },
  days,
  on,
})

/**
 * Sends the letter of the latest step that is due and was not sent in this dip; skipped steps are not sent.
 */
async function sendStepLetters(
  deps: Deps,
  clientId: number,
  found: Found,
  status: BillingStatus,
  policy: Policy,
) {
  const due = stepsDue(asStanding(found), status, policy)
  const began = status === billingStatus.low ? (found.low_since ?? found.today) : found.negative_since
  if (due.length === 0 || began === null) return
  const { rows } = await sql<{ step: string }>`
    insert into dunning_steps (client_id, began_on, step, done_on)
    select ${clientId}, ${began}, step, ${found.today} from unnest(${due.map(({ name }) => name)}::text[]) step
    on conflict do nothing returning step`.execute(deps.tx)
  const fresh = new Set(rows.map(({ step }) => step))
  const latest = due.at(-1)
  if (!latest || !fresh.has(latest.name)) return
  const low = latest.letter === 'balance-low'
  await notify(deps.tx, clientId, { kind: low ? 'balance_low' : 'balance_negative', about: null, params: {} })
  const about = letterParameters(found)
  if (latest.letter !== 'balance-low') return write(deps, found, { kind: latest.letter, ...about })
  await write(deps, found, { kind: 'balance-low', ...about, on: found.runs_out ?? found.today })
}

const asStanding = (found: Found): Standing => ({ ...found, inTrial: found.trial_running })

/** Suspends all running panels, or resumes those that were suspended here; their engines follow by jobs. */
async function movePanels(deps: Deps, clientId: number, reason: string | null): Promise<void> {
  const panels = await deps.tx
    .selectFrom('panels')
    .select(['id', 'suspended_at', 'suspend_reason'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .where('status', '<>', 'deleting')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const { id, suspended_at, suspend_reason } of panels) {
    if (reason !== null && suspended_at === null) await suspendPanel(deps, id, reason)
    if (reason === null && suspended_at !== null && isForDebt(suspend_reason)) await resumePanel(deps, id)
  }
}

async function suspend(deps: Deps, clientId: number, found: Found): Promise<void> {
  const trial = found.trialSpent && found.sign >= 0
  await movePanels(deps, clientId, trial ? suspendReasons.trial : suspendReasons.unpaid)
  await notify(deps.tx, clientId, { kind: 'account_suspended', about: null, params: {} })
  const { name, held } = letterParameters(found)
  await write(deps, found, { kind: 'account-suspended', name, held, trial })
}

async function resume(deps: Deps, clientId: number, found: Found): Promise<void> {
  await movePanels(deps, clientId, null)
  await write(deps, found, { kind: 'account-resumed', name: found.first_name })
}

/**
 * Evaluates an account by the operator's rules: its billing status, expiring credit and trials, letters, and
 * the suspension of panels. Idempotent: a repetition changes and sends nothing.
 */
async function evaluateBalance(deps: Deps, clientId: number): Promise<void> {
  const { tx } = deps
  // The lock that postings take, which avoids deadlocks and serializes evaluations.
  await holdAccounts(tx, clientId)
  await tx
    .updateTable('account_balances')
    .set({ evaluate_due: false, evaluated_on: sql`clock_today()` })
    .where('client_id', '=', clientId)
    .execute()
  await endCredit(tx, clientId)
  const before = await standing(tx, clientId)
  if (!before) return
  const ending = before.trial_running && before.trial_over
  if (ending) await endTrial(tx, clientId)
  const found = ending ? await standing(tx, clientId) : before
  if (!found) return
  const policy = await policyOf(tx)
  const a = asStanding(found)
  const status = statusOf(a, policy)
  const low = lowSince(a, status, policy, found)
  const suspended = status === billingStatus.suspended
  await tx
    .updateTable('clients')
    .set((eb) => ({
      billing_status: status,
      low_since: low,
      suspended_on: suspended ? eb.fn.coalesce('suspended_on', sql<string>`clock_today()`) : null,
    }))
    .where('id', '=', clientId)
    .where((eb) => eb.or([eb('billing_status', '<>', status), eb('low_since', 'is distinct from', low)]))
    .execute()
  if (suspended && found.status !== billingStatus.suspended) await suspend(deps, clientId, found)
  if (!suspended && found.status === billingStatus.suspended) await resume(deps, clientId, found)
  await sendStepLetters(deps, clientId, { ...found, low_since: low }, status, policy)
  await requestAutoBilling(tx, clientId)
}

/** Queues an evaluation of an account for after the caller's commit, such as after a payment. */
export async function requestEvaluation(tx: Database, clientId: number): Promise<void> {
  await enqueue(tx, 'balance.evaluate', { clientId }, { key: `bal:${clientId}` })
}

/** As `requestEvaluation`, for several accounts. */
export async function requestEvaluations(
  tx: Database,
  clientIds: readonly number[],
  more: { readonly afterMs: number } = { afterMs: 0 },
): Promise<void> {
  const each = [...new Set(clientIds)].map((clientId) => ({ payload: { clientId }, key: `bal:${clientId}` }))
  await enqueueEach(tx, 'balance.evaluate', each, more)
}

/** Evaluates one account in its own transaction. */
export async function evaluateOne({ pool, clock, vault }: Outside, clientId: number): Promise<void> {
  await pool.kysely.transaction().execute((tx) => evaluateBalance({ tx, vault, now: clock.now() }, clientId))
}

const batch = 200
// Shorter than the limit of a job; the next one continues with the rest.
const longestRunMs = 20_000

// Small enough that each statement is short and delays no posting, however many accounts there are.
const markBatch = 1000

/**
 * Marks, once a day, the accounts that the passing of a day may change: those below zero, on trial, low or
 * suspended, with expiring credit, or with usage.
 */
export async function markByTime(db: Database, many = markBatch): Promise<void> {
  for (let after: number | null = 0; after !== null; ) after = await markAfter(db, after, many)
}

/** Marks the next accounts after an id; returns the last id, null when there were none. */
async function markAfter(db: Database, after: number, many: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with next as (
      select client_id from account_balances where client_id > ${after} order by client_id limit ${many}
    ), marked as (
      update account_balances b set evaluate_due = true from next join clients c on c.id = next.client_id
      where c.id = b.client_id and not b.evaluate_due and (
      (c.trial_ends_at <= clock_now() and c.trial_ended_on is null)
      or (b.evaluated_on is distinct from clock_today() and (
        b.negative_since is not null or c.billing_status not in (${billingStatus.ok}, ${billingStatus.terminated}) or c.low_since is not null
        or exists (select from promo_grants g where g.client_id = c.id and g.ended_on is null)
        or exists (select from usage_client_days u where u.client_id = c.id and u.usage_on >= clock_today() - 7))))
    )
    select max(client_id) as last from next`.execute(db)
  return rows[0]?.last ?? null
}

async function dueAfter(db: Database, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('account_balances')
    .select('client_id')
    .where('evaluate_due', '=', true)
    .where('client_id', '>', after)
    .orderBy('client_id')
    .limit(batch)
    .execute()
  return rows.map(({ client_id }) => client_id)
}

/**
 * Evaluates the accounts whose balance changed since their last evaluation; with `byTime` also those that a
 * passed day may change. The next run continues where the time limit ends this one.
 */
export async function evaluateBalances(
  outside: Outside,
  { byTime }: { readonly byTime: boolean },
): Promise<number> {
  const db = outside.pool.kysely
  const until = performance.now() + longestRunMs
  const failures: unknown[] = []
  let done = 0
  if (byTime) await markByTime(db)
  for (let after = 0, more = true; more && performance.now() < until; ) {
    const ids = await dueAfter(db, after)
    // A failing account must not block the others.
    for (const id of ids)
      await evaluateOne(outside, id).then(
        () => done++,
        (error: unknown) => failures.push(error),
      )
    after = ids.at(-1) ?? after
    more = ids.length === batch
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} accounts could not be evaluated.`)
  return done
}
