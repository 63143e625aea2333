import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { Visitor } from './portal.ts'

/** The sums by country and rate of VAT that the close of the month would bill, as staff read them. */
export const previewedVat = async (staff: Visitor) =>
  JSON.parse((await staff.get(`${base}/month-closes/1/-actions/previewVat`)).text)

/** The bills after a document, added up as the preview of the close does it. */
export async function billedVat(db: Database, after: number) {
  const { rows } = await sql<{ sum: unknown }>`
    select jsonb_build_object('currency', i.currency, 'country', g ->> 'country', 'category', g ->> 'category',
      'rate', (g ->> 'rate')::numeric, 'bills', count(*), 'net', sum((g ->> 'net')::numeric),
      'vat', sum((g ->> 'vat')::numeric), 'gross', sum((g ->> 'net')::numeric + (g ->> 'vat')::numeric)) as sum
    from invoices i cross join jsonb_array_elements(i.vat_groups) g where i.reason = 'service_bill' and i.id > ${after}
    group by i.currency, g ->> 'country', g ->> 'category', (g ->> 'rate')::numeric
    order by i.currency, g ->> 'country', g ->> 'category', ((g ->> 'rate')::numeric)::text`.execute(db)
  return rows.map(({ sum }) => sum)
}

/** The id of the newest document. */
export async function newestDocument(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from invoices`.execute(db)
  return rows[0]?.id ?? 0
}
