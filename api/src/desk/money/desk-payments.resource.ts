import { deskPayments } from '@portico/contract/resources/desk-payments.ts'
import { sql } from 'kysely'
import { byValue } from '#platform/jsonapi/declare/by-value.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { clientName } from './client-name.ts'
import { conditions, countedFilters, isPaidSince, waits } from './payment-conditions.ts'

const failedByRule = sql`payments.status = 'failed' and payments.purpose = 'auto_recharge'`

const ofRule = (column: 'failures' | 'next_try_at') =>
  sql`(select r.${sql.ref(column)} from automated_billing_rules r
    where r.client_id = payments.client_id and r.enabled and ${failedByRule})`

const ofCard = (column: 'brand' | 'last4') => () =>
  sql`(select k.${sql.ref(column)} from cards k where k.id = payments.card_id)`

export default serve(deskPayments, {
  table: 'payments',
  ofStaff: true,
  pageFirst: true,
  policy: { read: staffAlone(...moneyStaff.roles) },
  columns: {
    client_name: () => clientName(sql`payments.client_id`),
    // A transfer whose bank gave none is named by its line.
    reference: () => sql`case when payments.provider_ref not like '#%' then payments.provider_ref end`,
    card_brand: ofCard('brand'),
    card_last4: ofCard('last4'),
    tries: () => sql`coalesce(case when ${waits} then payments.looks end, ${ofRule('failures')}, 0)`,
    next_at: () => sql`coalesce(case when ${waits} then payments.next_look_at end, ${ofRule('next_try_at')})`,
    paid_since: () => sql`(payments.status = 'failed' and ${isPaidSince('payments')})`,
  },
  filters: byValue(conditions),
  totals: { sums: {}, kept: [{ table: 'payment_counts', count: 'many', filters: [...countedFilters] }] },
  order: '-createdAt',
})
