import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { sql } from 'kysely'
import type { Buyer } from '#money/invoices/documents/document.ts'
import { type BilledNow, billedOf, billingGaps, buyerFrom, placeColumns } from '#money/invoices/parties.ts'
import { aliased } from '#platform/db/aliased.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'

// A company's number that is first known later, at the same place, is late evidence of what the company was.
const vatNumberThen = sql<string | null>`case
  when e.vat_number is null and e.account_type = ${sql.lit(companyAccount)}
    and (t.account_type, t.country_id) is not distinct from (e.account_type, e.country_id) then t.vat_number
  else e.vat_number end`

const decidesAsNow = sql<boolean>`(e.account_type, e.country_id, e.zip_code, ${vatNumberThen})
  is not distinct from (t.account_type, t.country_id, t.zip_code, t.vat_number)`

/**
 * The buyer at the beginning of a local day of the operator, by the details that were in force then; where these were not whole,
 * by the first whole ones after them. Undefined when VAT depends on nothing that has changed since.
 */
async function buyerThen(tx: Database, clientId: number, until: string): Promise<Buyer | undefined> {
  const found = await tx
    .selectFrom('former_billing_details as e')
    .innerJoin('client_entities as t', 't.client_id', 'e.client_id')
    .innerJoin('clients as c', 'c.id', 'e.client_id')
    .innerJoin('countries as n', 'n.id', 'e.country_id')
    .leftJoin('counties as y', 'y.id', 'e.county_id')
    .select(aliased('e', columns.former_billing_details))
    .select(['c.first_name', 'c.last_name', 'c.email', ...placeColumns])
    .select([vatNumberThen.as('vat_number_then'), decidesAsNow.as('decides_as_now')])
    .where('e.client_id', '=', clientId)
    .where(
      'e.until',
      '>=',
      sql<string>`(select ${until}::date::timestamp at time zone time_zone from operator_profile)`,
    )
    .where(sql<boolean>`${billingGaps} = '{}'`)
    .orderBy('e.until')
    .limit(1)
    .executeTakeFirst()
  return found === undefined || found.decides_as_now
    ? undefined
    : buyerFrom({ ...found, vat_number: found.vat_number_then })
}

/**
 * The buyer of a period that ended before a local day of the operator: with the place, kind and VAT number of its end, which
 * decide its VAT (article 25 of Implementing Regulation (EU) 282/2011), and all else as now. Throws like `billedOf`.
 */
export async function billedThen(tx: Database, clientId: number, until: string): Promise<BilledNow> {
  const billed = await billedOf(tx, clientId)
  return { ...billed, buyer: (await buyerThen(tx, clientId, until)) ?? billed.buyer }
}
