import { dayMs } from '@portico/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { erasedAfterDays } from './close-account.ts'

// The rest follows in the next hour.
const mostAtOnce = 20

/** The replacement of erased text. */
const erased = 'Erased'

/** Erases the text of tickets by all authors, because it is about the person, and their files. */
async function eraseTickets(tx: Database, clientId: number): Promise<void> {
  const files = await tx
    .deleteFrom('ticket_files')
    .where('client_id', '=', clientId)
    .returning('storage_key')
    .execute()
  for (const { storage_key } of files) await enqueue(tx, 'file.remove', { key: storage_key })
  await sql`update ticket_messages set body = ${erased}, rating_comment = null,
      author_email = case when author_email is not null then 'erased@erased.invalid' end
    where client_id = ${clientId}`.execute(tx)
  await tx.updateTable('tickets').set({ subject: erased }).where('client_id', '=', clientId).execute()
  await tx.deleteFrom('ticket_emails').where('client_id', '=', clientId).execute()
}

/** Erases the person's identity outside documents, which keep their own copy as the law requires. */
async function erasePerson(tx: Database, clientId: number, now: Date): Promise<void> {
  const { email, auth_id } = await tx
    .selectFrom('clients')
    .select(['email', 'auth_id'])
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow()
  // Other accounts' logs name the person as a guest; the actor of an entry is read from the client.
  await sql`update auth_events set about = ${erased} where lower(about) = lower(${email})`.execute(tx)
  await sql`delete from outbox_letters where lower(recipient) = lower(${email})`.execute(tx)
  await tx
    .updateTable('clients')
    .set({
      email: `${clientId}@erased.invalid`,
      first_name: erased,
      last_name: String(clientId),
      company_url: null,
      auth_id: null,
      flags: [],
      erased_at: now.toISOString(),
    })
    .where('id', '=', clientId)
    .execute()
  // Cascades to sessions, the security log, and all other rows of identity.
  if (auth_id !== null) await tx.deleteFrom('auth_accounts').where('id', '=', auth_id).execute()
  const nowhere = sql`company_name = null, phone_number = null, address1 = null, address2 = null, city = null, state = null,
    zip_code = null, county_id = null, country_id = null, vat_number = null, registration_number = null,
    commerce_code = null`
  await sql`update client_entities set ${nowhere}, account_type = 2, company_url = null, vat_number_typed = null, po_number = null,
    billing_emails = null
    where client_id = ${clientId}`.execute(tx)
  // After that change, which keeps the details before it.
  await tx.deleteFrom('former_billing_details').where('client_id', '=', clientId).execute()
  // The acceptance of the terms, and their version, are retained.
  await sql`update register_details set ${nowhere}, account_type = 2, first_name = ${erased}, last_name = ${erased}, ip = null
    where client_id = ${clientId}`.execute(tx)
}

async function eraseRest(tx: Database, clientId: number): Promise<void> {
  await sql`update staff_requests set about = '', input = '{}' where client_id = ${clientId}`.execute(tx)
  // Staff were notified of the requests with the name and address of the client.
  await sql`delete from notifications
    where client_id in (select c.id from admins a join clients c on c.auth_id = a.auth_id)
      and kind in ('staff_request', 'staff_request_decided')
      and about_id in (select id from staff_requests where client_id = ${clientId})`.execute(tx)
  for (const table of [
    'balance_messages',
    'client_notes',
    'invoice_drafts',
    'notifications',
    'api_keys',
    'setup_intents',
  ] as const)
    await tx.deleteFrom(table).where('client_id', '=', clientId).execute()
  await sql`update sso_grants set ip = null where client_id = ${clientId}`.execute(tx)
  await sql`update automated_billing_rules set consent_ip = null where client_id = ${clientId}`.execute(tx)
  await sql`update cards set last4 = '0000', fingerprint = 'erased:' || id where client_id = ${clientId}`.execute(
    tx,
  )
}

// The document of their last month needs the buyer.
const unbilled = (client: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from usages u where u.client_id = ${client} and u.status in ('open', 'charged'))`

/** Whether an account waits for its last document. */
export async function isUnbilled(tx: Database, clientId: number): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${unbilled(sql`${clientId}::int8`)} as "is"`.execute(tx)
  return rows[0]?.is ?? false
}

/** Erases data without a legal retention from a closed account, which is locked. */
export async function eraseAccount(tx: Database, clientId: number, now: Date): Promise<void> {
  await eraseTickets(tx, clientId)
  await eraseRest(tx, clientId)
  await erasePerson(tx, clientId, now)
  // Last, because the log also records what this erased: the actor, action and reason stay, the recorded values do not.
  await sql`update staff_action_changes x set before = null, after = null from staff_actions a
    where a.id = x.action_id and a.client_id = ${clientId}`.execute(tx)
}

/**
 * Erases the accounts that were closed a month ago. An account whose last month is not billed waits. Returns the number
 * of accounts.
 */
export async function eraseClosed(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - erasedAfterDays * dayMs).toISOString()
  const due = sql<{
    id: number
  }>`select c.id from clients c where c.closed_at < ${before} and c.erased_at is null
    and not ${unbilled(sql`c.id`)}
    order by c.closed_at`
  const { rows } = await sql<{ id: number }>`${due} limit ${mostAtOnce}`.execute(db)
  for (const { id } of rows)
    await db.transaction().execute(async (tx) => {
      // Another process may have erased it meanwhile.
      const still =
        await sql`select from clients where id = ${id} and erased_at is null for update skip locked`.execute(
          tx,
        )
      if (still.rows.length === 0) return
      await eraseAccount(tx, id, now)
    })
  return rows.length
}
