import { deskDisputes } from '@portico/contract/resources/desk-disputes.ts'
import { sql } from 'kysely'
import { answerDispute } from '#money/payments/disputes/answer-dispute.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { clientName } from './client-name.ts'

const ofPayment = (column: 'client_id' | 'currency' | 'settled_at') =>
  sql`(select p.${sql.ref(column)} from payments p where p.id = payment_disputes.payment_id)`

export default serve(deskDisputes, {
  table: 'payment_disputes',
  ofStaff: true,
  pageFirst: true,
  policy: { read: staffAlone(...moneyStaff.roles), answerDispute: staffAlone(...moneyWriters.roles) },

  columns: {
    client_id: () => ofPayment('client_id'),
    client_name: () => clientName(ofPayment('client_id')),
    currency: () => ofPayment('currency'),
    paid_at: () => ofPayment('settled_at'),
    answered_by_name: () =>
      sql`(select a.display_name from admins a where a.id = payment_disputes.answered_by)`,
  },
  filters: {
    client_id: (_, value) =>
      sql`payment_disputes.payment_id in (select p.id from payments p where p.client_id = ${value}::int8)`,
    status: 'status',
  },
  order: '-createdAt',
  actions: { answerDispute: outside(answerDispute) },
})
