import { vatRates } from '@portico/contract/resources/vat-rates.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { gapsOfOperator, setRate } from './set-rate.ts'

const readers = staffAlone(...moneyStaff.roles)

export default serve(vatRates, {
  table: 'vat_rates',
  ofStaff: true,
  policy: { read: readers, setRate: staffAlone('admin'), taxGaps: readers },
  columns: {
    from_day: () => sql`lower(vat_rates.valid)`,
    to_day: () => sql`upper(vat_rates.valid) - 1`,
    reduced: () => sql`to_jsonb(vat_rates.reduced)`,
  },
  filters: {
    country: 'country',
    current: (_, value) =>
      sql`(vat_rates.valid @> clock_today() or lower(vat_rates.valid) > clock_today()) = ${value}::boolean`,
  },
  order: 'country',
  actions: { setRate, taxGaps: gapsOfOperator },
})
