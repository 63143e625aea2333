import * as z from 'zod/mini'
import { idParameter, integerId, moment, money, stamps, text } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

export const disputeStatus = z.enum(['open', 'won', 'lost'])

export const deskDisputes = resource('desk-disputes', {
  description: 'A payment that the client’s bank took back or asks about, as the provider last said.',
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
    /** What staff answered, and when the provider had it; an answer without a moment did not arrive. */
    answer: z.nullable(z.string()),
    answered_at: z.nullable(moment),
    answered_by_name: z.nullable(z.string()),
    paid_at: z.nullable(moment),
    ...stamps,
  },
  filters: { client_id: idParameter, status: disputeStatus },
  sorts: ['createdAt', 'answer_by', 'amount'],
  actions: {
    answerDispute: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends evidence to the provider, with the name and address of the client. A provider takes one answer, which cannot be changed. `dispute_not_open`, `dispute_answered`, `dispute_answer_late` after the last day, `dispute_answer_refused` when the provider does not take it, `provider_unavailable`.',
      input: z.strictObject({ text: text(20_000, { required: fault('message_required') }) }),
      output: z.object({ answered_at: moment }),
    }),
  },
})
