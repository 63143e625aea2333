import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from '#platform/db/pool.ts'

/**
 * A card of an account, the request that added it, a deposit by it that waits for its person, and a rule for automatic
 * payment. Written straight to the tables, for those who ask who may see and do what; returns ids by type.
 */
export async function makePayment(pool: Pool, client: number): Promise<Readonly<Record<string, number>>> {
  const db = pool.kysely
  const ref = randomBytes(8).toString('hex')
  const { rows } = await sql<{ card: number; setup: number; payment: number; rule: number }>`
    with method as (
      insert into sandbox_objects (ref, made_by, kind, body) values (${`pm_${ref}`}, ${`test ${ref}`}, 'method',
        '{"behaviour": "challenge", "last4": "3184", "customerRef": "cus_1", "expMonth": 12, "expYear": 2040, "fingerprint": "f"}')
      returning ref
    ), card as (
      insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint,
        is_default)
      select ${client}, 'sandbox', ref, 'cus_1', 'visa', '3184', 12, 2040, ref, true from method returning id
    ), asked as (
      insert into sandbox_objects (ref, made_by, kind, body) values
        (${`seti_${ref}`}, ${`setup ${ref}`}, 'setup', '{"status": "requires_action", "secret": "s", "setupId": 1}'),
        (${`pi_${ref}`}, ${`pay ${ref}`}, 'payment',
          '{"status": "requires_action", "amount": "60.50", "currency": "USD", "token": "t", "paymentId": 1}')
    ), setup as (
      insert into setup_intents (client_id, provider, provider_ref, status)
      values (${client}, 'sandbox', ${`seti_${ref}`}, 'requires_action') returning id
    ), payment as (
      insert into payments (client_id, purpose, provider, provider_ref, card_id, currency, net, vat, gross, vat_treatment,
        vat_country, vat_rate, status)
      select ${client}, 'deposit', 'sandbox', ${`pi_${ref}`}, id, 'USD', 50, 10.50, 60.50, 'domestic', 'RO', 21,
        'requires_action' from card returning id
    ), rule as (
      insert into automated_billing_rules (client_id, threshold_amount, recharge_amount, card_id)
      select ${client}, 15, 50, id from card returning id
    )
    select card.id as card, setup.id as setup, payment.id as payment, rule.id as rule
    from card, setup, payment, rule`.execute(db)
  const [made] = rows
  if (!made) throw new Error('No payment was made.')
  return {
    cards: made.card,
    'stripe-setup-intents': made.setup,
    transactions: made.payment,
    'automated-billing-rules': made.rule,
  }
}
