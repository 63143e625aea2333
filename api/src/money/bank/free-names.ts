import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: the name that a line or a payment gets, so that its own is free. Where somebody took that name beforehand, which anybody can
 * write into a file, it gets one that nobody guesses.
 */
const freed = (name: RawBuilder<unknown>, id: RawBuilder<unknown>, taken: RawBuilder<unknown>) =>
  sql<string>`${name} || ' / ' || ${id} || case when exists (${taken}) then ' / ' || gen_random_uuid() else '' end`

/** SQL: the name of a taken-back line `l` of `bank_lines`, under an id. */
export const freedLineName = (id: RawBuilder<unknown>) =>
  freed(
    sql`l.reference`,
    id,
    sql`select from bank_lines o where o.iban = l.iban and o.reference = l.reference || ' / ' || ${id}`,
  )

/** SQL: the name of a taken-back payment `p` of `payments`. */
export const freedPaymentName = freed(
  sql`p.provider_ref`,
  sql`p.id`,
  sql`select from payments o where o.provider = p.provider and o.provider_ref = p.provider_ref || ' / ' || p.id`,
)

const before = (name: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(${name}, ' / ' || ${id} || '( / [0-9a-f-]{36})?$', '')`

/** SQL: the name that a taken-back line `l` had before. */
export const nameBefore = before(sql`l.reference`, sql`l.id`)

/** SQL: the name that a taken-back payment `p` had before. */
export const paymentNameBefore = before(sql`p.provider_ref`, sql`p.id`)
