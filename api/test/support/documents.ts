import { sql } from 'kysely'
import { creditNote } from '#money/invoices/credit-notes.ts'
import { issueInvoice, issueProforma } from '#money/invoices/invoices.ts'
import type { Pool } from '#platform/db/pool.ts'
import type { Account } from './account.ts'

/** An operator that can issue documents in US dollars, with series HST, PRF and ST, and a rate of 4.5 lei that does not age. */
export async function makeOperator(pool: Pool): Promise<void> {
  const db = pool.kysely
  await sql`insert into operator_profile (legal_name, vat_number, tax_number, commerce_code, address1, city, county_code,
      zip_code, country, email, phone, iban, bank_name, oss_registered)
    values ('Test Cloud SRL', 'RO12345674', '12345674', 'J12/100/2020', 'Strada Memorandumului 1', 'Cluj-Napoca', 'RO-CJ',
      '400114', 'RO', 'billing@example.com', '+40 264 000 000', 'RO49AAAA1B31007593840000', 'Banca Test', true) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into invoice_series (prefix, kind) values ('HST', 'fiscal'), ('ST', 'credit_note') on conflict do nothing`.execute(
    db,
  )
  await sql`insert into proforma_series (prefix) values ('PRF') on conflict do nothing`.execute(db)
  await sql`insert into fx_rates (base, quote, published_on, rate, source) values
    ('USD', 'RON', '2020-01-01', 4.5, 'recorded'), ('EUR', 'RON', '2020-01-01', 5, 'recorded') on conflict do nothing`.execute(
    db,
  )
}

let seriesMade = 0

/**
 * New series of every kind of document, in place of those that are used: days of a series never go back, and those of tests
 * do. They are called T1F, T1S and T1P, and so on.
 */
export async function newSeries(pool: Pool): Promise<void> {
  const n = ++seriesMade
  const db = pool.kysely
  await sql`update invoice_series set active = false`.execute(db)
  await sql`update proforma_series set active = false`.execute(db)
  await sql`insert into invoice_series (prefix, kind) values (${`TF${n}`}, 'fiscal'), (${`TS${n}`}, 'credit_note')`.execute(
    db,
  )
  await sql`insert into proforma_series (prefix) values (${`TP${n}`})`.execute(db)
}

/** The billing details of an account: everything that a document needs, with overrides. */
export async function makeBuyer(
  pool: Pool,
  { id }: Pick<Account, 'id'>,
  {
    country = 'RO',
    county = 'RO-CJ',
    company = true,
    ...more
  }: {
    country?: string
    county?: string | null
    company?: boolean
    city?: string
    zip?: string
    vatNumber?: string
    language?: 'en' | 'ro'
  } = {},
): Promise<void> {
  await sql`update client_entities set account_type = ${company ? 1 : 2}::int, company_name = ${company ? 'Ștefan & Țiței SRL' : null},
      address1 = 'Strada Lungă 12', city = ${more.city ?? 'Dej'}, zip_code = ${more.zip ?? '405200'},
      vat_number = ${more.vatNumber ?? null}, country_id = (select id from countries where code = ${country}),
      county_id = (select id from counties where code = ${country === 'RO' ? county : null})
    where client_id = ${id}`.execute(pool.kysely)
  await sql`update clients set language_id = (select id from languages where code = ${more.language ?? 'ro'})
    where id = ${id}`.execute(pool.kysely)
}

/** One document of each kind for an account: a proforma, the invoice of it, and a credit note of a part of that. */
export async function makeDocuments(
  pool: Pool,
  { id: clientId }: Pick<Account, 'id'>,
): Promise<{ proforma: number; invoice: number; note: number }> {
  await makeOperator(pool)
  await makeBuyer(pool, { id: clientId })
  return pool.kysely.transaction().execute(async (tx) => {
    const proforma = await issueProforma(tx, { clientId, sum: { net: '50' } })
    const paid = { clientId, sum: { gross: proforma.total }, proformaId: proforma.id }
    const invoice = await issueInvoice(tx, paid)
    const note = await creditNote(tx, {
      invoiceId: invoice.id,
      net: '20',
      reason: { en: 'test', ro: 'test' },
    })
    return { proforma: proforma.id, invoice: invoice.id, note: note.id }
  })
}
