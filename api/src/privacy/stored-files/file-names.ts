import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { StoredFile } from '#platform/files/stored-files.ts'

/**
 * Every row that references a stored file. A table with a new kind of file must be added here, or the sweep
 * deletes its files.
 */
const named = sql`(
  select storage_key as key, encode(sha256, 'hex') as sha256, 'ticket file ' || id as what, null::bigint as invoice_id
    from ticket_files
  union all select pdf_key, pdf_sha256, 'document ' || full_number || '.pdf', id from invoices where pdf_key is not null
  union all select xml_key, xml_sha256, 'document ' || full_number || '.xml', id from invoices where xml_key is not null
  union all select e.signed_key, e.signed_sha256, 'document ' || i.full_number || '.zip', null
    from e_invoices e join invoices i on i.id = e.invoice_id where e.signed_key is not null
  union all select r.xml_key, r.xml_sha256, 'document ' || i.full_number || '-replaced-' || r.id || '.xml', null
    from replaced_e_invoices r join invoices i on i.id = r.invoice_id
  union all select r.signed_key, r.signed_sha256, 'document ' || i.full_number || '-replaced-' || r.id || '.zip', null
    from replaced_e_invoices r join invoices i on i.id = r.invoice_id where r.signed_key is not null
  union all select file_key, sha256, 'data export ' || id, null from data_exports where file_key is not null
  union all select file_key, sha256, 'archive of documents ' || id, null from document_archives where file_key is not null
  union all select storage_key, sha256, 'usage of ' || day, null from usage_archives)`

/** The given keys that a row references. */
export async function namedKeys(db: Database, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from ${named} f where key = any(${[...keys]}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

const atOnce = 10_000

/** Every referenced file, in the order of keys; with `sample` a random selection of that size. */
export async function* namedFiles(db: Database, sample?: number): AsyncGenerator<StoredFile> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{
      key: string
      sha256: string | null
      what: string
      invoice_id: number | null
    }>`
      select key, sha256, what, invoice_id from ${named} f where key > ${after}
      order by ${sample === undefined ? sql`key` : sql`random()`} limit ${sample ?? atOnce}`.execute(db)
    for (const { invoice_id, ...file } of rows)
      yield { ...file, ...(invoice_id !== null && { invoiceId: invoice_id }) }
    after = rows.at(-1)?.key ?? ''
    if (sample !== undefined || rows.length < atOnce) return
  }
}
