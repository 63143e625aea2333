import { sql } from 'kysely'
import { notify } from '#notifications/notifications.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { makeAccount } from './account.ts'
import { makeKey } from './api-key.ts'
import { makeDocuments, makeOperator } from './documents.ts'
import { makePayment } from './payment.ts'
import { person } from './people.ts'
import { makePanelPlan } from './plans.ts'
import { type MadeTicket, makeAdmin, makeTicket } from './ticket.ts'
import { makeUsage } from './usage.ts'

// The rows that the permission matrix and the conformance suite walk. A new type gets its row here, once for both.

type Owner = { readonly id: number; readonly panels: readonly number[] }
type Ids = Readonly<Record<string, number | string>>

/** Makes rows of an account and its panels; returns an id for each type of which the owner may see other rows as well. */
export async function makeRows(pool: Pool, owner: Owner, days: readonly string[]): Promise<Ids> {
  const { id: client, panels } = owner
  const [panel = 0] = panels
  let ticket: MadeTicket | undefined
  for (const one of panels) ticket = await makeTicket(pool, { client, panel: one })
  const payment = await makePayment(pool, client)
  const params = { panel: 'A panel' }
  await notify(pool.kysely, client, { kind: 'panel_degraded', about: panel, params })
  await makeUsage(pool, { client, panels, days, charged: days.slice(0, 1) })
  const documents = await makeDocuments(pool, owner)
  const key = await makeKey(pool, { client })
  const note = await pool.kysely
    .insertInto('client_notes')
    .values({ client_id: client, admin_id: await makeAdmin(pool), body: 'Pays by transfer on the 10th' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const draft = await pool.kysely
    .insertInto('invoice_drafts')
    .values({
      client_id: client,
      admin_id: await makeAdmin(pool),
      lines: JSON.stringify([{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const plan = await makePanelPlan(pool.kysely, { client, panel })
  return {
    ...payment,
    ...plan,
    'api-keys': key.id,
    'billing-profiles': client,
    'client-notes': note.id,
    clients: client,
    'desk-clients': client,
    'desk-documents': documents.note,
    'desk-panels': panel,
    'desk-payments': payment.transactions ?? 0,
    'invoice-drafts': draft.id,
    invoices: documents.note,
    panels: panel,
    ...(ticket && {
      tickets: ticket.ticket,
      'ticket-messages': ticket.messages[1],
      'ticket-files': ticket.files[0],
      'ticket-emails': ticket.email,
      'ticket-ticket-emails': ticket.notified,
    }),
  }
}

/** Makes rows that belong to staff and to no account. */
export async function makeStaffRows(pool: Pool, name: string): Promise<Ids> {
  const db = pool.kysely
  const answer = await db
    .insertInto('canned_answers')
    .values({ title: name, body_en: 'Hello', body_ro: 'Bună' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const alert = await db
    .insertInto('staff_alerts')
    .values({ kind: 'disputed', about: name, detail: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const plan = await db.selectFrom('plans').select('id').executeTakeFirstOrThrow()
  const admin = await makeAdmin(pool)
  const letter = await db
    .insertInto('outbox_letters')
    .values({ message_id: name, recipient: 'ana@example.com', language: 'en', kind: 'invitation' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { accountId } = await person(pool, `${crypto.randomUUID()}@example.com`)
  const signIn = await db
    .insertInto('auth_events')
    .values({ account_id: accountId, kind: 'signed-in', at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const check = await db
    .insertInto('checks')
    .values({
      about: name,
      state: 'good',
      words_en: name,
      words_ro: name,
      checked_at: new Date().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ledgerCheck = await db
    .insertInto('ledger_checks')
    .values({ status: 'failed', finished_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(db, 'vat.check', { clientId: 1 })
  const job = await db.selectFrom('desk_jobs').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const action = await db
    .insertInto('staff_actions')
    .values({
      admin_id: admin,
      verb: 'resolve',
      type: 'staff-alerts',
      reason: name,
      request_id: name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('staff_action_changes')
    .values({
      action_id: action.id,
      table_name: 'billing_policies',
      row_id: '1',
      op: 'update',
      before: JSON.stringify({ warn_days: 7 }),
      after: JSON.stringify({ warn_days: 8 }),
    })
    .execute()
  const request = await db
    .insertInto('staff_requests')
    .values({
      verb: 'goodwill',
      about_type: 'desk-clients',
      ref: '1',
      input: JSON.stringify({ amount: 500 }),
      about: name,
      reason: name,
      asked_by: admin,
      asked_role: 'support',
      asked_alone: false,
      ends_at: '2040-01-01',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const bank = await makeBankLine(db, admin, name)
  const exported = await db
    .insertInto('accounting_exports')
    .values({ admin_id: admin, kind: 'vat', from_day: '2026-01-01', to_day: '2026-01-31' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const files = await makeFilesOfStaff(db, admin)
  const office = await makeEInvoice(pool)
  const dispute = await makeDispute(pool, name)
  const debt = await makeDebt(pool)
  const rate = await db
    .selectFrom('vat_rates')
    .select('id')
    .where('country', '=', 'RO')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const exchange = await db
    .insertInto('fx_rates')
    .values({ base: 'GBP', quote: 'RON', published_on: '2026-01-02', rate: '5.8', source: 'A test' })
    .onConflict((one) => one.columns(['base', 'quote', 'published_on']).doUpdateSet({ rate: '5.8' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const providerDay = await db
    .insertInto('provider_balances')
    .values({
      provider: 'sandbox',
      currency: 'USD',
      day: '2026-01-02',
      held: '10',
      booked: '10',
      disputed: '0',
      read_at: '2026-01-02T04:00:00Z',
    })
    .onConflict((one) => one.columns(['provider', 'currency', 'day']).doUpdateSet({ held: '10' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const news = await db
    .insertInto('announcements')
    .values({ title_en: 'News', title_ro: 'Noutăți', starts_at: '2020-01-01T00:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into published_texts (kind, version, from_day, body_en, body_ro)
    values ('privacy', 'sample', '2020-01-01', 'Data', 'Date') on conflict do nothing`.execute(db)
  const text = await db
    .selectFrom('published_texts')
    .select('id')
    .where('version', '=', 'sample')
    .executeTakeFirstOrThrow()
  await makeOperator(pool)
  const currency = await db
    .selectFrom('currency_policies')
    .select('currency_id')
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow()
  const setting = await db.selectFrom('operator_settings').select('id').limit(1).executeTakeFirstOrThrow()
  return {
    ...bank,
    ...office,
    ...files,
    'accounting-exports': exported.id,
    'vat-rates': rate.id,
    'fx-rates': exchange.id,
    'provider-days': providerDay.id,
    announcements: news.id,
    'operator-profiles': 1,
    'operator-settings': setting.id,
    brands: 1,
    'month-closes': 1,
    reports: 1,
    'published-texts': text.id,
    'access-policies': 1,
    'billing-policies': 1,
    'currency-policies': currency.currency_id,
    'canned-answers': answer.id,
    'desk-debts': debt,
    'desk-disputes': dispute,
    'desk-checks': check.id,
    'ledger-checks': ledgerCheck.id,
    'desk-departments': 1,
    'desk-engines': 1,
    'desk-home': admin,
    'desk-jobs': job.id ?? 0,
    'desk-letters': letter.id,
    'desk-limits': 1,
    'desk-plans': plan.id,
    'desk-requests': request.id,
    'desk-sign-ins': signIn.id,
    'desk-staff': admin,
    'policy-changes': action.id,
    'staff-actions': action.id,
    'staff-alerts': alert.id,
  }
}

/** An account that owes. */
async function makeDebt(pool: Pool): Promise<number> {
  const opening = { balance: '-60', credit: '0', on: '2026-01-01' }
  const owing = await makeAccount(pool, { projects: 1, panels: 0, opening })
  const { id } = await pool.kysely
    .selectFrom('account_balances')
    .select('id')
    .where('client_id', '=', owing.id)
    .executeTakeFirstOrThrow()
  return id
}

/** A payment that the client's bank asks about. */
async function makeDispute(pool: Pool, name: string): Promise<number> {
  const { id } = await makeAccount(pool, { projects: 1, panels: 0 })
  const { transactions = 0 } = await makePayment(pool, id)
  const dispute = await pool.kysely
    .insertInto('payment_disputes')
    .values({
      payment_id: transactions,
      provider: 'sandbox',
      provider_ref: `dp_${name}`,
      amount: '60.50',
      status: 'open',
      answer_by: '2026-12-01T12:00:00Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return dispute.id
}

/** A document that waits for the tax office. */
async function makeEInvoice(pool: Pool): Promise<Ids> {
  const owner = await makeAccount(pool, { projects: 1, panels: 0 })
  const { invoice } = await makeDocuments(pool, owner)
  const db = pool.kysely
  const office = await db
    .updateTable('tax_offices')
    .set({ in_use: true })
    .where('environment', '=', 'prod')
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = await db
    .insertInto('e_invoices')
    .values({ environment: 'prod', invoice_id: invoice, client_id: owner.id, due_on: '2026-01-08' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { 'tax-offices': office.id, 'e-invoices': row.id }
}

/** A statement with an open line. */
async function makeBankLine(db: Pool['kysely'], admin: number, name: string): Promise<Ids> {
  const statement = await db
    .insertInto('bank_statements')
    .values({
      filename: name,
      format: 'camt053',
      sha256: Buffer.from(name),
      iban: 'RO49AAAA1B31007593840000',
      currency: 'USD',
      lines: 1,
      admin_id: admin,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const line = await db
    .insertInto('bank_lines')
    .values({
      statement_id: statement.id,
      iban: 'RO49AAAA1B31007593840000',
      reference: name,
      booked_on: '2026-01-02',
      amount: '60.50',
      currency: 'USD',
      text: name,
      is_reversal: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { 'bank-statements': statement.id, 'bank-lines': line.id }
}

/** A kept view, and the files that a member of staff asked for. */
export async function makeFilesOfStaff(db: Database, admin: number) {
  const filter = JSON.stringify({ owing: 'true' })
  const view = await db
    .insertInto('desk_views')
    .values({ admin_id: admin, name: 'Owing', filter })
    .onConflict((one) => one.doNothing())
    .returning('id')
    .executeTakeFirst()
  const clients = await db
    .insertInto('client_exports')
    .values({ admin_id: admin, filter, count: 3 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const documents = await db
    .insertInto('document_archives')
    .values({
      admin_id: admin,
      from_day: '2026-01-01',
      to_day: '2026-01-31',
      format: 'pdf',
      status: 'failed',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    ...(view && { 'desk-views': view.id }),
    'client-exports': clients.id,
    'document-archives': documents.id,
  }
}

/** Types that staff alone read. */
export const typesOfStaff: readonly string[] = [
  'access-policies',
  'accounting-exports',
  'announcements',
  'bank-lines',
  'bank-statements',
  'canned-answers',
  'client-exports',
  'client-notes',
  'desk-checks',
  'desk-departments',
  'desk-engines',
  'desk-clients',
  'desk-debts',
  'desk-disputes',
  'desk-documents',
  'desk-home',
  'desk-jobs',
  'desk-letters',
  'desk-limits',
  'desk-panels',
  'desk-payments',
  'desk-plans',
  'desk-requests',
  'desk-sign-ins',
  'desk-staff',
  'desk-views',
  'document-archives',
  'e-invoices',
  'invoice-drafts',
  'ledger-checks',
  'policy-changes',
  'staff-actions',
  'staff-alerts',
  'staff-preferences',
  'tax-offices',
  'vat-rates',
  'fx-rates',
  'provider-days',
  'month-closes',
  'reports',
  'operator-profiles',
  'operator-settings',
  'brands',
  'billing-policies',
  'currency-policies',
]

/** The advice of a test that finds no row of a type. */
export const noRow = (type: string): string => `${type} has no row: make one in api/test/support/rows.ts`
