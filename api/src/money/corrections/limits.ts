import type { MoneyVerb } from '@portico/contract/rules/asked-verbs.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { operatorOf } from '#money/invoices/parties.ts'
import { fxRate } from '#money/invoices/rates/fx.ts'
import { newestPublished } from '#money/invoices/rates/fx-rates.ts'
import { rounded } from '#money/minor-units.ts'
import type { Context } from '#platform/context.ts'
import { staffAction } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Moved = {
  readonly verb: MoneyVerb
  readonly clientId: number
  readonly currency: string
  /** With VAT, above zero. */
  readonly amount: Big
}

/**
 * An amount in the operator's currency, at the rate of the day, rounded up. Staff may enter rates, so the newest published
 * one counts where it is higher: a low one would lift every limit.
 */
export async function inBase(
  tx: Context['tx'],
  { currency, amount }: Pick<Moved, 'currency' | 'amount'>,
): Promise<{ base: Big; of: string }> {
  const { currency: of, today } = await operatorOf(tx)
  const rate = await fxRate(tx, currency, of, today)
  const published = rate === null ? undefined : await newestPublished(tx, currency, of)
  const most = [rate?.rate ?? '1', published ?? '0'].map((one) => new Big(one)).sort((a, b) => b.cmp(a))
  return { base: rounded(amount.times(most[0] ?? 1), of, Big.roundUp), of }
}

type Limit = { readonly perAction: Big; readonly left: Big }

/** What a person may move at once by a verb, and still today. Lines of statements that they imported count as transfers by hand. */
async function limitOf(tx: Context['tx'], adminId: number, verb: Moved['verb']): Promise<Limit> {
  const { rows } = await sql<{ per_action: string; left: string }>`
    select per_action, per_day - (select coalesce(sum(a.amount), 0) from staff_actions a
      where a.admin_id = p.id and a.counted_on = operator_today()
        and (a.verb = l.verb or l.verb = 'recordBankTransfer' and a.verb in ('matchLine', 'confirmCertain'))) as left
    from admins p join staff_limits l on l.role = p.role where p.id = ${adminId} and l.verb = ${verb}`.execute(
    tx,
  )
  return { perAction: new Big(rows[0]?.per_action ?? 0), left: new Big(rows[0]?.left ?? 0) }
}

/** The limits of a person, for whose concurrent actions it waits. */
export async function holdLimit(tx: Context['tx'], adminId: number, verb: Moved['verb']): Promise<Limit> {
  await tx.selectFrom('admins').select('id').where('id', '=', adminId).forNoKeyUpdate().execute()
  return limitOf(tx, adminId, verb)
}

async function assertLeft(
  { tx, actor }: Context,
  verb: Moved['verb'],
  { base, currency }: { readonly base: Big; readonly currency: string },
): Promise<void> {
  const { perAction, left } = await holdLimit(tx, actor.staff?.id ?? 0, verb)
  if (base.gt(perAction)) throw refuse('staff_limit_action', { most: Number(perAction), currency })
  if (base.gt(left)) throw refuse('staff_limit_day', { left: Number(left), currency })
}

/** What the person may still move by one action of a verb alone, in the operator's currency. */
export async function leftOf({ tx, actor }: Context, verb: Moved['verb']): Promise<Big> {
  const { perAction, left } = await limitOf(tx, actor.staff?.id ?? 0, verb)
  return left.lt(perAction) ? left : perAction
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
    where id = ${staffAction}`.execute(tx)
}
