import { sql } from 'kysely'

/**
 * SQL: whether the tax office in use has rejected a document of `invoices`, or it has no electronic invoice because it
 * violates a rule. A proforma is none of its documents.
 */
export const isRefused = sql<boolean>`(invoices.kind <> 'proforma' and invoices.pdf_key is not null and invoices.xml_key is null
  or exists (select from e_invoices e join tax_offices o on o.environment = e.environment and o.in_use
    where e.invoice_id = invoices.id and e.state = 'rejected'))`
