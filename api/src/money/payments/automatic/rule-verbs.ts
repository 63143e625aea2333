import { createHash } from 'node:crypto'
import { ruleStatus } from '@portico/contract/resources/automated-billing-rules.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { amountsOf, assertWithin } from '#money/currency-policies.ts'
import { billedAccount, paymentScopeOf } from '#money/payments/payment-scope.ts'
import { assertNotTryingOut } from '#money/payments/payments.ts'
import type { Context, OutsideContext, Related, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { chargeIfLow } from './automated-billing.ts'
import { requestAutoBilling, withoutDeclines } from './outcome.ts'
import { cardOf, refusedToday } from './rule-cards.ts'

type Rule = RowOf<'automated_billing_rules'>

type Amounts = {
  readonly threshold_amount?: string | number
  readonly recharge_amount?: string | number
  readonly monthly_cap?: string | number | null
}

/** Throws `number_least` and `number_most` by the limits of the account's currency. */
async function assertAmounts(tx: Database, clientId: number, sent: Amounts): Promise<void> {
  const { deposit_most, threshold_least, recharge_least, cap_most } = await amountsOf(tx, clientId)
  const bound = (name: keyof Amounts, least: string, most: string) => ({
    pointer: `/data/attributes/${name}`,
    amount: sent[name],
    least,
    most,
  })
  assertWithin([
    bound('threshold_amount', threshold_least, deposit_most),
    bound('recharge_amount', recharge_least, deposit_most),
    bound('monthly_cap', recharge_least, cap_most),
  ])
}

/** Server-set columns of a new rule. */
export async function newRule({
  tx,
  actor,
  sent,
}: Pick<Context, 'tx' | 'actor'> & {
  readonly related: Related
  readonly sent: Amounts & { readonly client_id?: number | undefined }
}) {
  const clientId = billedAccount(actor, sent.client_id)
  await assertAmounts(tx, clientId, sent)
  return { client_id: clientId }
}

/** Resets earlier declines after a change, because the card may be another one. */
export async function ruleUpdated({ tx }: Context, row: Rule, before: Rule): Promise<void> {
  await assertAmounts(tx, row.client_id, row)
  if (row.card_id === before.card_id && row.fallback_card_id === before.fallback_card_id) return
  await sql`update automated_billing_rules set ${withoutDeclines},
      status = case when status = 'paused_declined' then 'active' else status end
    where id = ${row.id}`.execute(tx)
  await requestAutoBilling(tx, row.client_id)
}

const stateOf = ({ id, enabled, status }: Pick<Rule, 'id' | 'enabled' | 'status'>) => ({
  id,
  enabled,
  status: z.parse(ruleStatus, status),
})

/**
 * Enables automatic charges; stores who agreed, to which text, when and from where. Throws
 * `automatic_needs_card`.
 */
export async function enableRule(
  { tx, actor, ip }: Context,
  { row, input }: { readonly row: Rule; readonly input: { readonly consent: string } },
) {
  const card = row.card_id === null ? undefined : await cardOf(tx, { ...row, use_fallback: false })
  if (!card) throw refuse('automatic_needs_card')
  const changed = await tx
    .updateTable('automated_billing_rules')
    .set({
      enabled: true,
      status: 'active',
      failures: 0,
      use_fallback: false,
      next_try_at: null,
      consent_text_hash: createHash('sha256').update(input.consent).digest(),
      consent_at: sql`clock_now()`,
      consent_ip: ip,
      consent_client_id: actor.id,
    })
    .where('id', '=', row.id)
    .returning(columns.automated_billing_rules)
    .executeTakeFirstOrThrow()
  await requestAutoBilling(tx, row.client_id)
  return stateOf(changed)
}

export async function disableRule({ tx }: Context, { row }: { readonly row: Rule }) {
  const changed = await tx
    .updateTable('automated_billing_rules')
    .set({ enabled: false, status: 'off', next_try_at: null, use_fallback: false })
    .where('id', '=', row.id)
    .returning(columns.automated_billing_rules)
    .executeTakeFirstOrThrow()
  return stateOf(changed)
}

/**
 * Retries at once, for a person who has fixed the cause. Throws `automatic_off`, `card_refused_today`, and
 * `payments_refused_often`.
 */
export async function retryNow(outsideContext: OutsideContext, { row }: { readonly row: Rule }) {
  const paymentScope = paymentScopeOf(outsideContext)
  await paymentScope.within(async (tx) => {
    await assertNotTryingOut({ tx }, row.client_id)
    const rule = await tx
      .updateTable('automated_billing_rules')
      .set({ status: 'active', failures: 0, use_fallback: false, next_try_at: null })
      .where('id', '=', row.id)
      .where('enabled', '=', true)
      .returning(columns.automated_billing_rules)
      .executeTakeFirst()
    if (!rule) throw refuse('automatic_off')
    const card = await cardOf(tx, rule)
    if (card && (await refusedToday(tx, card.id)))
      throw refuse(
        'card_refused_today',
        {},
        {
          headers: { 'retry-after': '86400' },
        },
      )
  })
  await chargeIfLow(paymentScope, row.client_id)
  const now = await paymentScope.within((tx) =>
    tx
      .selectFrom('automated_billing_rules')
      .select(columns.automated_billing_rules)
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow(),
  )
  return stateOf(now)
}
