import { fxRates } from '@portico/contract/resources/fx-rates.ts'
import { type SqlBool, sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { addRate, fetchNow, readNeeds } from './rates-at-the-desk.ts'

const readers = staffAlone(...moneyStaff.roles)
const writers = staffAlone('billing', 'admin')

export default serve(fxRates, {
  table: 'fx_rates',
  ofStaff: true,
  // A demo knows the rates of days to come.
  present: () => sql<SqlBool>`fx_rates.published_on <= operator_today()`,
  policy: { read: readers, needs: readers, fetchRates: writers, addRate: writers },
  columns: { rate: () => sql`trim_scale(fx_rates.rate)::text` },
  filters: { base: 'base' },
  order: '-published_on',
  actions: { needs: readNeeds, fetchRates: fetchNow, addRate },
})
