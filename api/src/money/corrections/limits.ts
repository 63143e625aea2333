import Big from 'big.js'
import { sql } from 'kysely'
import { operatorOf } from '#money/invoices/parties.ts'
import { fxRate } from '#money/invoices/rates/fx.ts'
import { newestPublished } from '#money/invoices/rates/fx-rates.ts'
import { rounded } from '#money/minor-units.ts'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Moved = {
  readonly verb:
    | 'goodwill'
    | 'adjust'
    | 'writeOff'
    | 'writeOffDebt'
    | 'refund'
    | 'creditNote'
    | 'storno'
    | 'recordBankTransfer'
    | 'manualInvoice'
    | 'chargeOpenBill'
  readonly clientId: number
  readonly currency: string
  /** With VAT, above zero. */
  readonly amount: Big
}

/**
 * An amount in the operator's currency, at the rate of the day, rounded up. Staff may enter rates, so the newest published
 * one counts where it is higher: a low one would lift every limit.
 */
async function inBase(tx: Context['tx'], { currency, amount }: Moved): Promise<{ base: Big; of: string }> {
  const { currency: of, today } = await operatorOf(tx)
  const rate = await fxRate(tx, currency, of, today)
  const published = rate === null ? undefined : await newestPublished(tx, currency, of)
  const most = [rate?.rate ?? '1', published ?? '0'].map((one) => new Big(one)).sort((a, b) => b.cmp(a))
  return { base: rounded(amount.times(most[0] ?? 1), of, Big.roundUp), of }
}

/** The limits of a role, and what the person moved today. */
async function limitOf({ tx, actor: { staff } }: Context, verb: string) {
  const { rows } = await sql<{ per_action: string; per_day: string; moved: string }>`
    select per_action, per_day, (select coalesce(sum(a.amount), 0) from staff_actions a
      where a.admin_id = ${staff?.id} and a.verb = l.verb and a.counted_on = operator_today()) as moved
    from staff_limits l where l.role = ${staff?.role} and l.verb = ${verb}`.execute(tx)
  return rows[0] ?? { per_action: '0', per_day: '0', moved: '0' }
}

async function assertLeft(
  context: Context,
  verb: string,
  { base, currency }: { readonly base: Big; readonly currency: string },
): Promise<void> {
  // Concurrent actions of the same person wait here.
  const person = context.tx.selectFrom('admins').select('id')
  await person
    .where('id', '=', context.actor.staff?.id ?? 0)
    .forNoKeyUpdate()
    .execute()
  const limit = await limitOf(context, verb)
  if (base.gt(limit.per_action))
    throw refuse('staff_limit_action', { most: Number(limit.per_action), currency })
  const left = new Big(limit.per_day).minus(limit.moved)
  if (base.gt(left)) throw refuse('staff_limit_day', { left: Number(left), currency })
}

/** What the person may still move by one action of a verb alone, in the operator's currency. */
export async function leftOf(context: Context, verb: Moved['verb']): Promise<Big> {
  const { per_action, per_day, moved } = await limitOf(context, verb)
  const left = new Big(per_day).minus(moved)
  return left.lt(per_action) ? left : new Big(per_action)
}

/**
 * Counts what a member of staff moves against the limits of their role, and writes it into their action in the log. What a
 * second person approves has no limit and counts against none: a limit is what one person moves alone. Throws
 * `recent_sign_in_required`, `staff_limit_action`, `staff_limit_day`, `documents_need_…`.
 */
export async function assertWithinLimit(context: Context, moved: Moved): Promise<void> {
  const { tx, second } = context
  assertRecentSignIn(context)
  const { base, of: currency } = await inBase(tx, moved)
  if (second) second.weigh({ amount: moved.amount.toFixed(2), currency: moved.currency })
  else await assertLeft(context, moved.verb, { base, currency })
  await sql`update staff_actions set amount = ${base.toFixed(2)}, client_id = ${moved.clientId},
      counted_on = case when not ${second !== undefined} then operator_today() end
    where id = current_setting('portico.action')::bigint`.execute(tx)
}
