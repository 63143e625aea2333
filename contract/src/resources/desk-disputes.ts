import * as z from 'zod/mini'
import { idParameter, integerId, moment, money, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'

export const disputeStatus = z.enum(['open', 'won', 'lost'])

export const deskDisputes = resource('desk-disputes', {
  description:
    'A payment that the client’s bank took back or asks about, as the provider last said. It is answered at the provider.',
  attributes: {
    payment_id: integerId,
    client_id: integerId,
    client_name: z.string(),
    provider: z.string(),
    /** The provider’s own number of it. */
    provider_ref: z.string(),
    status: disputeStatus,
    currency: z.string(),
    amount: money,
    /** The provider's fee for it, in the currency of its account. */
    fee: money,
    /** The last moment for evidence; null where the provider says none. */
    answer_by: z.nullable(moment),
    paid_at: z.nullable(moment),
    ...stamps,
  },
  filters: { client_id: idParameter, status: disputeStatus },
  sorts: ['createdAt', 'answer_by', 'amount'],
})
