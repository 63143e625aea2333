import type { Context } from '#platform/context.ts'

/** Tells when the last message of Stripe arrived. */
export async function webhook({ tx }: Context) {
  const row = await tx
    .selectFrom('payment_events')
    .select(({ fn }) => fn.max('received_at').as('seen_at'))
    .where('provider', '=', 'stripe')
    .executeTakeFirst()
  return { seen_at: row?.seen_at ?? null }
}
