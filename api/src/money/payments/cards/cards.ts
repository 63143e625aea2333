import { sql } from 'kysely'
import { isOpenPayment } from '#money/payments/payment-rows.ts'
import { type PaymentScope, providerOf } from '#money/payments/payment-scope.ts'
import type { ProviderId, ProviderMethod } from '#money/payments/providers/payment-provider.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'
import { notStaff } from '#staff/roles.ts'

type Card = RowOf<'cards'>

/** The provider's id of a client; created at the provider on first use. */
export async function customerRef(
  paymentScope: PaymentScope,
  clientId: number,
  providerId: ProviderId,
): Promise<string> {
  const client = await paymentScope.within((tx) =>
    tx
      .selectFrom('clients as c')
      .leftJoin('payment_customers as p', (join) =>
        join.onRef('p.client_id', '=', 'c.id').on('p.provider', '=', providerId),
      )
      .select(['c.email', 'c.first_name', 'c.last_name', 'p.ref'])
      .where('c.id', '=', clientId)
      .executeTakeFirstOrThrow(),
  )
  if (client.ref !== null) return client.ref
  const name = `${client.first_name} ${client.last_name}`.trim()
  const idempotencyKey = `customer:${clientId}`
  const ref = await providerOf(paymentScope, providerId).createCustomer({
    clientId,
    email: client.email,
    name,
    idempotencyKey,
  })
  await paymentScope.within((tx) =>
    tx
      .insertInto('payment_customers')
      .values({ client_id: clientId, provider: providerId, ref })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  return ref
}

const described = (method: ProviderMethod) => ({
  provider_ref: method.ref,
  customer_ref: method.customerRef,
  brand: method.brand,
  last4: method.last4,
  exp_month: method.expMonth,
  exp_year: method.expYear,
  country: method.country,
  fingerprint: method.fingerprint,
})

/**
 * Stores a card that a provider has accepted, and returns its id. The same number renews the existing card;
 * an account's first card becomes its default. Of a client who became staff meanwhile it is removed at the provider; null.
 */
export async function keepCard(
  tx: Database,
  owner: { clientId: number; provider: ProviderId },
  method: ProviderMethod,
): Promise<number | null> {
  const { clientId, provider } = owner
  // Serializes concurrent requests for the same card.
  const { kind } = await tx
    .selectFrom('clients')
    .select('kind')
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (kind === 'staff') {
    await enqueue(tx, 'card.detach', { provider, ref: method.ref })
    return null
  }
  const known = await tx
    .selectFrom('cards')
    .select(['id', 'provider_ref', 'customer_ref'])
    .where('client_id', '=', clientId)
    .where('provider', '=', provider)
    .where((eb) =>
      eb.or([
        eb('provider_ref', '=', method.ref),
        eb.and([eb('fingerprint', '=', method.fingerprint), eb('status', '=', 'active')]),
      ]),
    )
    .executeTakeFirst()
  if (known) {
    await tx
      .updateTable('cards')
      .set({ ...described(method), warned_days: null })
      .where('id', '=', known.id)
      .execute()
    if (known.provider_ref !== method.ref)
      await enqueue(tx, 'card.detach', { provider, ref: known.provider_ref })
    return known.id
  }
  const { rows } = await sql<{ first: boolean }>`
    select not exists (select from cards where client_id = ${clientId} and is_default) as first`.execute(tx)
  const made = await tx
    .insertInto('cards')
    .values({ client_id: clientId, provider, ...described(method), is_default: rows[0]?.first ?? false })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Makes a card the default; the database clears the former default. */
export async function setDefault({ tx }: Context, { row }: { readonly row: Card }) {
  if (row.status !== 'active') throw refuse('card_not_chargeable')
  await tx.updateTable('cards').set({ is_default: true }).where('id', '=', row.id).execute()
  return { id: row.id, is_default: true }
}

/**
 * Deletes a card, here and at its provider. Throws `card_automatic` while automatic billing has no other
 * card, `card_in_use` while it has an open payment.
 */
export async function removeCard({ tx }: Context, { id, client_id, provider, provider_ref }: Card) {
  const rule = await tx
    .selectFrom('automated_billing_rules')
    .select(['id', 'enabled', 'card_id', 'fallback_card_id'])
    .where('client_id', '=', client_id)
    .forUpdate()
    .executeTakeFirst()
  if (rule?.enabled && rule.card_id === id && rule.fallback_card_id === null) throw refuse('card_automatic')
  const { rows } = await sql`select from payments
    where card_id = ${id} and ${isOpenPayment('payments')}`.execute(tx)
  if (rows.length > 0) throw refuse('card_in_use')
  if (rule) await giveUpInRule(tx, rule, id)
  await tx.updateTable('cards').set({ status: 'removed', is_default: false }).where('id', '=', id).execute()
  await sql`update cards set is_default = true where id = (
      select max(id) from cards where client_id = ${client_id} and status = 'active')
    and not exists (select from cards where client_id = ${client_id} and is_default)`.execute(tx)
  await enqueue(tx, 'card.detach', { provider, ref: provider_ref })
}

type RuleCards = Pick<RowOf<'automated_billing_rules'>, 'id' | 'card_id' | 'fallback_card_id'>

/** Replaces a deleted card in an automatic billing rule by the other card. */
async function giveUpInRule(tx: Database, { id, card_id, fallback_card_id }: RuleCards, gone: number) {
  if (card_id !== gone && fallback_card_id !== gone) return
  const next = card_id === gone ? fallback_card_id : card_id
  await tx
    .updateTable('automated_billing_rules')
    .set({ card_id: next, fallback_card_id: null, use_fallback: false })
    .where('id', '=', id)
    .execute()
}

/** Replaces an expired card in an automatic billing rule by the other card, if there is one. */
async function replaceInRule(tx: Database, card: Pick<Card, 'id' | 'client_id'>): Promise<void> {
  const rule = await tx
    .selectFrom('automated_billing_rules')
    .select(['id', 'card_id', 'fallback_card_id'])
    .where('client_id', '=', card.client_id)
    .where('fallback_card_id', 'is not', null)
    .executeTakeFirst()
  if (rule) await giveUpInRule(tx, rule, card.id)
}

/** Detaches a card at its provider. Idempotent. */
export async function detachCard(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  await providerOf(paymentScope, provider).detachMethod(ref)
}

type Ending = {
  id: number
  client_id: number
  brand: string
  last4: string
  on: string
  days: number
  email: string
  first_name: string
  language: string
}

/**
 * Sends letters 30 and 7 days before a card's last month ends, and when it has ended: then the card is marked
 * expired and replaced in automatic billing. Days follow the business clock. Returns the number of letters.
 */
export async function processExpiringCards({
  within,
  vault,
}: Pick<PaymentScope, 'within' | 'vault'>): Promise<number> {
  return within(async (tx) => {
    const { rows } = await sql<Ending>`
      with ends as (
        select k.id, k.client_id, k.brand, k.last4, k.warned_days,
          (make_date(k.exp_year, k.exp_month, 1) + interval '1 month')::date as "on"
        from cards k where k.status = 'active'
      ), due as (
        select e.*, case when "on" <= clock_today() then 0 when "on" - clock_today() <= 7 then 7 else 30 end as days
        from ends e where "on" - clock_today() <= 30
      )
      select d.id, d.client_id, d.brand, d.last4, d.on, d.days, c.email, c.first_name, l.code as language
      from due d join clients c on c.id = d.client_id join languages l on l.id = c.language_id
      where ${notStaff('c')} and (d.warned_days is null or d.days < d.warned_days) order by d.id`.execute(tx)
    for (const card of rows) await sendExpiryLetter(tx, vault, card)
    return rows.length
  })
}

async function sendExpiryLetter(tx: Database, vault: Vault, card: Ending): Promise<void> {
  const over = card.days === 0
  await tx
    .updateTable('cards')
    .set({ warned_days: card.days, ...(over && { status: 'expired', is_default: false }) })
    .where('id', '=', card.id)
    .execute()
  if (over) await replaceInRule(tx, card)
  const { brand, last4, on, first_name: name } = card
  await queueMail(
    { tx, vault },
    {
      to: card.email,
      language: card.language,
      letter: { kind: over ? 'card-expired' : 'card-expiring', name, brand, last4, on },
    },
  )
}

/** Active until its last month ends, unless the same number was added again meanwhile. */
const renewed = ({ expYear, expMonth }: ProviderMethod) =>
  sql<
    'active' | 'expired'
  >`case when make_date(${expYear}, ${expMonth}, 1) + interval '1 month' > clock_today()
    and not exists (select from cards o where o.client_id = cards.client_id and o.fingerprint = cards.fingerprint
      and o.status = 'active' and o.id <> cards.id) then 'active' else cards.status end`

/**
 * Updates a card from its provider: a new expiry makes an expired card chargeable again, and a deletion
 * removes it.
 */
export async function refreshCard(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const method = await providerOf(paymentScope, provider).getMethod(ref)
  await paymentScope.within(async (tx) => {
    const cards = tx.updateTable('cards').where('provider', '=', provider).where('provider_ref', '=', ref)
    if (method)
      await cards
        .set({
          exp_month: method.expMonth,
          exp_year: method.expYear,
          last4: method.last4,
          warned_days: null,
          status: renewed(method),
        })
        .where('status', 'in', ['active', 'expired'])
        .execute()
    else {
      const ended = cards.set({ status: 'failed', is_default: false }).where('status', '=', 'active')
      for (const card of await ended.returning(['id', 'client_id']).execute()) await replaceInRule(tx, card)
    }
  })
}
