import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { receiveWebhook } from '#money/payments/inbox.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { SandboxBody, SandboxKind, SandboxObject, SandboxStore } from './sandbox-objects.ts'

/** The delays of the sandbox's repeated messages, in milliseconds. */
const messageDelaysMs = [1500, 6000]

// The table holds the sandbox's own data.
const objectOf = (row: { ref: string; kind: string; body: unknown }): SandboxObject => ({
  ref: row.ref,
  kind: row.kind as SandboxKind,
  body: row.body as SandboxBody,
})

async function announce(tx: Database, type: string, ref: string): Promise<void> {
  const eventId = `evt_${randomUUID()}`
  for (const afterMs of messageDelaysMs)
    await enqueue(tx, 'sandbox.deliver', { eventId, type, ref }, { afterMs })
}

async function between(db: Database, from: Date, until: Date) {
  const rows = await db
    .selectFrom('sandbox_objects')
    .select(['ref', 'kind', 'body', 'created_at'])
    .where('kind', 'in', ['payment', 'refund'])
    .where('created_at', '>=', from.toISOString())
    .where('created_at', '<', until.toISOString())
    .execute()
  return rows.map((row) => ({ ...objectOf(row), at: new Date(row.created_at) }))
}

/** Stores the sandbox's objects in the portal's database. */
export function sandboxStore({ kysely }: Pool): SandboxStore {
  const objects = () => kysely.selectFrom('sandbox_objects').select(['ref', 'kind', 'body'])
  const byKey: SandboxStore['byKey'] = async (key) => {
    const row = await objects().where('made_by', '=', key).executeTakeFirst()
    return row && objectOf(row)
  }
  return {
    byKey,
    make: async ({ ref, kind, body }, key) => {
      await kysely
        .insertInto('sandbox_objects')
        .values({ ref, kind, made_by: key, body: JSON.stringify(body) })
        .onConflict((conflict) => conflict.column('made_by').doNothing())
        .execute()
      const made = await byKey(key)
      if (!made) throw new Error(`The sandbox lost the object of key ${key}.`)
      return made
    },
    get: async (ref) => {
      const row = await objects().where('ref', '=', ref).executeTakeFirst()
      return row && objectOf(row)
    },
    between: (from, until) => between(kysely, from, until),
    disputes: async () => (await objects().where('kind', '=', 'dispute').execute()).map(objectOf),
    change: (ref, by) =>
      kysely.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('sandbox_objects')
          .select(['ref', 'kind', 'body'])
          .where('ref', '=', ref)
          .forUpdate()
          .executeTakeFirst()
        const body = row && by(objectOf(row).body)
        if (!row || !body) return undefined
        await tx
          .updateTable('sandbox_objects')
          .set({ body: JSON.stringify(body) })
          .where('ref', '=', ref)
          .execute()
        return objectOf({ ...row, body })
      }),
    announce: (type, ref) => announce(kysely, type, ref),
  }
}

/** Delivers a sandbox message to the portal's webhook route. */
export async function deliverSandbox(
  paymentScope: PaymentScope,
  { eventId, type, ref }: { eventId: string; type: string; ref: string },
): Promise<void> {
  const message = paymentScope.payments.sandbox?.webhook({ id: eventId, type, ref })
  if (message) await receiveWebhook(paymentScope, 'sandbox', { ...message, body: Buffer.from(message.body) })
}

/**
 * Opens a dispute a day after a payment by a card for disputes, and decides it a day later: an answered one is won, others
 * are lost. By the business clock.
 */
export async function advanceDisputes({ within }: PaymentScope): Promise<void> {
  await within(async (tx) => {
    const { rows } = await sql<{ ref: string }>`
      insert into sandbox_objects (ref, made_by, kind, body)
      select 'dp_' || substr(o.ref, 4), 'dispute:' || o.ref, 'dispute', jsonb_build_object(
        'paymentRef', o.ref, 'amount', o.body ->> 'amount', 'status', 'open')
      from sandbox_objects o join payments p on p.provider = 'sandbox' and p.provider_ref = o.ref
      where o.kind = 'payment' and o.body ->> 'behaviour' = 'disputed' and p.settled_at <= clock_now() - interval '1 day'
      on conflict do nothing returning ref`.execute(tx)
    const { rows: decided } = await sql<{ ref: string }>`
      update sandbox_objects o set body = o.body || jsonb_build_object('status', case when o.body ? 'answer' then 'won' else 'lost' end)
      from payment_disputes d join payments p on p.id = d.payment_id
      where o.kind = 'dispute' and o.ref = d.provider_ref and d.provider = 'sandbox' and o.body ->> 'status' = 'open'
        and d.status = 'open' and p.settled_at <= clock_now() - interval '2 days'
      returning o.ref`.execute(tx)
    for (const { ref } of [...rows, ...decided]) await announce(tx, 'dispute.updated', ref)
  })
}
