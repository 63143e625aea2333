import { type BillingStatus, billingStatus } from '@portico/contract/rules/billing-status.ts'
import { sql } from 'kysely'
import type { Letter } from '#notifications/letters/letters.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { writeClient } from './client-letter.ts'

type Debt = {
  status: BillingStatus
  amount: string
  currency: string
  days: number
  on: string | null
  since: string
  today: string
}

/** The letter of the step that the debt has reached. */
function letterOf({ status, amount, currency, days, on }: Debt, name: string): Letter {
  const held = { amount, currency }
  if (status === billingStatus.suspended) return { kind: 'account-suspended', name, held, trial: false }
  return {
    kind: status === billingStatus.warned ? 'balance-warned' : 'balance-negative',
    name,
    held,
    days,
    on,
  }
}

/**
 * Sends the letter about a debt again: at most one a day, with those of the policy. Throws
 * `client_owes_nothing`, `reminded_today`.
 */
export async function remind(
  context: Pick<Context, 'tx' | 'vault'>,
  { row }: { readonly row: RowOf<'clients'> },
): Promise<{ status: 'queued' }> {
  const { tx } = context
  const { rows } = await sql<Debt>`
    select b.billing_status as status, b.available::text as amount, b.currency, b.negative_days as days,
      b.banner ->> 'suspend_on' as "on", a.negative_since::text as since, clock_today()::text as today
    from billing_profiles b join account_balances a on a.client_id = b.id
    where b.id = ${row.id} and b.available < 0 and a.negative_since is not null`.execute(tx)
  const [debt] = rows
  if (!debt) throw refuse('client_owes_nothing')
  const { since, today } = debt
  const { rows: added } = await sql`
    insert into dunning_steps (client_id, began_on, step, done_on)
    select ${row.id}, ${since}::date, 'reminder:' || ${today}::text, ${today}::date
    where not exists (select from dunning_steps d where d.client_id = ${row.id} and d.done_on = ${today}::date
      and d.began_on >= ${since}::date)
    on conflict do nothing returning step`.execute(tx)
  if (added.length === 0) throw refuse('reminded_today')
  await writeClient(context, row.id, ({ name }) => letterOf(debt, name))
  return { status: 'queued' }
}
