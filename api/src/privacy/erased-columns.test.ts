import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'

const { pool } = await testDatabase()

/** Columns that `erase-account.ts` empties or overwrites. */
const erased: Readonly<Record<string, string>> = {
  automated_billing_rules: 'consent_ip',
  cards: 'fingerprint last4',
  client_entities:
    'address1 address2 billing_emails city commerce_code company_name company_url phone_number po_number registration_number state vat_number vat_number_typed zip_code',
  clients: 'company_url email first_name last_name search_text',
  register_details:
    'address1 address2 city commerce_code company_name first_name ip last_name phone_number registration_number state vat_number zip_code',
  sso_grants: 'ip',
  staff_requests: 'about input',
  ticket_messages: 'author_email body rating_comment',
  tickets: 'subject',
}

/** Tables whose rows are deleted when an account is closed or erased, or with its sign-in data, or after a while. */
const deleted: readonly string[] = [
  'api_keys',
  'auth_events',
  'auth_identities',
  'auth_one_time',
  'auth_passkeys',
  'auth_sessions',
  'balance_messages',
  'client_notes',
  'data_exports',
  'former_billing_details',
  'invoice_drafts',
  'notifications',
  'setup_intents',
  'share_invitation_mails',
  'share_invitations',
  'ticket_emails',
  'ticket_files',
]

/** Columns that stay: documents and payments by law, names of things, references and codes. */
const kept: Readonly<Record<string, string>> = {
  admins: 'display_name email followed kind',
  bank_lines:
    'bank_reference batch_reference candidates iban left_under payer_iban payer_name problem reference text',
  billing_logs: 'description_key params period',
  cards: 'brand customer_ref provider_ref',
  client_features: 'payload',
  dunning_steps: 'step',
  e_invoices: 'download_id environment problem said signed_key signed_sha256 xml_sha256',
  invoice_lines: 'description_en description_ro unit_code',
  invoices:
    'buyer full_number fx_source notes pdf_key pdf_sha256 po_number prefix seller vat_evidence vat_groups vat_treatment xml_key xml_sha256',
  ledger_accounts: 'code',
  ledger_transactions: 'idempotency_key kind source_type',
  panel_resources: 'external_id name reasons region spec',
  panel_takeovers: 'external_id',
  panel_plan_changes: 'actor engine_plan exceeded reason',
  panels: 'domain engine_reasons external_id login_url name plan_code region suspend_reason',
  payment_customers: 'provider ref',
  payment_refunds: 'failure_code iban provider_ref reason transfer_reference',
  payments: 'failure_code failure_message provider_ref vat_treatment',
  projects: 'name',
  register_details: 'terms_version',
  terms_acceptances: 'version',
  // Address and words of staff, not of the person.
  staff_actions: 'caller ip reason ref request_id type verb',
  staff_requests: 'about_type asked_role currency decided_reason reason ref verb',
  ticket_messages: 'mail_message_id',
  tickets: 'number',
  usage_notes: 'code note_en note_ro params',
  usages: 'resource_name resource_ref',
  vat_checks: 'address name request_identifier source vat_number',
}

const listed = (lists: Readonly<Record<string, string>>): string[] =>
  Object.entries(lists).flatMap(([table, columns]) =>
    columns.split(' ').map((column) => `${table}.${column}`),
  )

test('every text column of a table about a person is listed as erased, deleted or kept', async () => {
  // Columns that a check limits to a list of codes hold no words of a person.
  const { rows } = await sql<{ name: string }>`select c.table_name || '.' || c.column_name as name
    from information_schema.columns c
      join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
    where c.table_schema = 'public'
      and (c.data_type in ('text', 'character varying', 'jsonb', 'inet') or c.udt_name = 'citext'
        or (c.data_type = 'character' and c.character_maximum_length > 3))
      and (t.oid = 'clients'::regclass or exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = t.oid
        and f.confrelid in ('clients'::regclass, 'auth_accounts'::regclass, 'projects'::regclass, 'panels'::regclass)))
      and not exists (select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
        where k.contype = 'c' and k.conrelid = t.oid and a.attname = c.column_name
          and pg_get_constraintdef(k.oid) like '%ARRAY[%')
    order by 1`.execute(pool.kysely)
  const found = rows
    .map(({ name }) => name)
    .filter((name) => !deleted.includes(name.slice(0, name.indexOf('.'))))
  const advice = 'erase it in api/src/privacy/erase-account.ts or keep it; list it in erased-columns.test.ts'
  expect(found, advice).toEqual([...listed(erased), ...listed(kept)].sort())
})
