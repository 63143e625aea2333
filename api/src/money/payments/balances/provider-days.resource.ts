import { providerDays } from '@portico/contract/resources/provider-days.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { compareNow, latestDays } from './provider-days.ts'

const readers = staffAlone(...moneyStaff.roles)

export default serve(providerDays, {
  table: 'provider_days',
  ofStaff: true,
  policy: { read: readers, latest: readers, compareNow: staffAlone(...moneyWriters.roles) },
  filters: { provider: 'provider', currency: 'currency' },
  order: '-day',
  actions: { latest: latestDays, compareNow },
})
