import { billingStatus } from '@portico/contract/rules/billing-status.ts'
import { sql } from 'kysely'
import { expirePromo, grantPromo } from '#money/ledger/credit.ts'
import { currencyOf } from '#money/ledger/entries.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Database } from '#platform/db/pool.ts'

/**
 * Starts the trial of a self-registered account with a confirmed address. Its credit waits until the currency
 * is known: by the country, by a first panel, or because only one is offered. Idempotent.
 */
export async function startTrial(tx: Database, clientId: number): Promise<void> {
  await holdAccounts(tx, clientId)
  const { rows } = await sql<{ trial_ends_at: string }>`
    update clients c set billing_status = ${billingStatus.trial}, trial_ends_at = clock_now() + p.trial_days * interval '1 day',
      trial_credit_due = true
    from billing_policies p where c.id = ${clientId} and c.trial_ends_at is null
      -- Accounts from before trials existed get none.
      and not exists (select from ledger_transactions t where t.client_id = c.id)
      -- Staff have no customer account, nor has a person who is invited to be staff.
      and c.kind = 'client' and not exists (select from admins m where m.email = c.email)
    returning c.trial_ends_at`.execute(tx)
  const [trial] = rows
  if (!trial) return
  await tx
    .insertInto('client_features')
    .values({ client_id: clientId, feature: 'trial', enabled: true, expires_at: trial.trial_ends_at })
    .execute()
  await sql`select trial_credit_give(${clientId})
    where (select count(*) from currencies_offered()) = 1
      or exists (select from client_entities where client_id = ${clientId} and country_id is not null)
      or exists (select from panels where client_id = ${clientId})`.execute(tx)
}

/** Withdraws the trial of a person who becomes staff, because staff have no customer account. */
export async function dropTrial(tx: Database, clientId: number): Promise<void> {
  await holdAccounts(tx, clientId)
  await sql`select trial_drop(${clientId})`.execute(tx)
  await endCredit(tx, clientId)
}

/** Grants credit that expires on a UTC day, the first on which it no longer counts. */
export async function grantEnding(
  tx: Database,
  clientId: number,
  credit: { readonly amount: string; readonly expiresOn: string; readonly key: string; readonly on?: string },
): Promise<void> {
  const { key, amount, expiresOn, on } = credit
  const currency = await currencyOf(tx, clientId)
  const { id, posted } = await grantPromo(tx, { key, clientId, currency, amount, on })
  if (!posted) return
  await tx
    .insertInto('promo_grants')
    .values({ client_id: clientId, transaction_id: id, amount, expires_on: expiresOn })
    .execute()
}

/**
 * Withdraws the rest of expired credit, once the usage until its expiry is charged: a day that is charged
 * after midnight still uses the credit. The caller holds the client's accounts.
 */
export async function endCredit(tx: Database, clientId: number): Promise<void> {
  const { rows } = await sql<{ grant_id: number; remaining: string }>`
    select grant_id, remaining from ending_credit(${clientId}) where expires_on <= clock_today()
      and (expires_on < clock_today() or not exists (select from usage_client_days u
        where u.client_id = ${clientId} and u.due and u.usage_on < expires_on))`.execute(tx)
  if (rows.length === 0) return
  const currency = await currencyOf(tx, clientId)
  for (const { grant_id, remaining } of rows) {
    await sql`update promo_grants set ended_on = clock_today() where id = ${grant_id}`.execute(tx)
    const expiry = { key: `promo-expiry:${grant_id}`, clientId, currency, amount: remaining }
    if (/[1-9]/.test(remaining)) await expirePromo(tx, expiry)
  }
}
