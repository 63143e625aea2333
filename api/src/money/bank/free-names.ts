import { sql } from 'kysely'

/**
 * SQL: the name that a taken-back payment `p` of `payments` gets, so that its own is free. Where somebody took that name beforehand,
 * which anybody can write into a file, it gets one that nobody guesses.
 */
export const freedPaymentName = sql<string>`p.provider_ref || ' / ' || p.id || case when exists (
    select from payments o where o.provider = p.provider and o.provider_ref = p.provider_ref || ' / ' || p.id)
  then ' / ' || gen_random_uuid() else '' end`

/** SQL: the name that a taken-back payment `p` had before. */
export const paymentNameBefore = sql<string>`regexp_replace(p.provider_ref, ' / ' || p.id || '( / [0-9a-f-]{36})?$', '')`
