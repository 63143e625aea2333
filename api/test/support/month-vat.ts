import type { monthCloses } from '@portico/contract/resources/month-closes.ts'
import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'
import type { Visitor } from './portal.ts'

/** The sums by country and rate of VAT that the close of the month would bill, as staff read them. */
export const previewedVat = async (staff: Visitor, after?: number) => {
  const payload = after === undefined ? '' : `?payload[after]=${after}`
  return JSON.parse((await staff.get(`${base}/month-closes/1/-actions/previewVat${payload}`)).text)
}

/** The sums of all clients, whose answers follow one another, by currency, country, category and rate. */
export async function previewedSums(staff: Visitor): Promise<Record<string, string>> {
  const sums = new Map<string, Big>()
  for (let after: number | null | undefined; after !== null; ) {
    const answer: z.output<typeof monthCloses.actions.previewVat.output> = await previewedVat(staff, after)
    for (const { currency, country, category, rate, net, vat } of answer.sums)
      for (const [name, amount] of Object.entries({ net, vat })) {
        const key = [currency, country, category, rate, name].join(' ')
        sums.set(key, (sums.get(key) ?? new Big(0)).plus(amount))
      }
    after = answer.next
  }
  return Object.fromEntries([...sums].map(([key, sum]) => [key, sum.toFixed(2)]))
}

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

/** The same in the form of `previewedSums`. */
export async function billedSums(db: Database, after: number): Promise<Record<string, string>> {
  const { rows } = await sql<{ of: string; net: string; vat: string }>`
    select concat_ws(' ', i.currency, g ->> 'country', g ->> 'category', trim_scale((g ->> 'rate')::numeric)) as of,
      sum((g ->> 'net')::numeric)::numeric(14, 2)::text as net, sum((g ->> 'vat')::numeric)::numeric(14, 2)::text as vat
    from invoices i cross join jsonb_array_elements(i.vat_groups) g where i.reason = 'service_bill' and i.id > ${after}
    group by 1`.execute(db)
  return Object.fromEntries(
    rows.flatMap(({ of, net, vat }) => [
      [`${of} net`, net],
      [`${of} vat`, vat],
    ]),
  )
}

/** The id of the newest document. */
export async function newestDocument(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from invoices`.execute(db)
  return rows[0]?.id ?? 0
}
