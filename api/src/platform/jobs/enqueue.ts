import type { EngineActor } from '@portico/contract/engine/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { spanForJob } from '#platform/spans/recorder.ts'

/** A job about a panel, and the actor on whose behalf its engine is called; none for the portal itself. */
type ForSomebody = { panelId: number; actor?: EngineActor }

/** Every job with its payload. */
export type Jobs = {
  'panel.provision': ForSomebody
  'panel.rename': ForSomebody
  'panel.delete': ForSomebody
  'panel.plan': { panelId: number }
  'panel.suspension': { panelId: number }
  'panel.sync': { panelId: number }
  'panel.degraded': { panelId: number }
  'panel.revoke': { panelId: number; clientId: number }
  'panel.revoke-staff': { panelId: number; adminId: number }
  'mail.send': { letterId: number }
  'staff.alert': { alertId: number }
  'balance.evaluate': { clientId: number }
  'balances.evaluate': Record<string, never>
  'file.remove': { key: string }
  'ticket.mail-in': { mailId: number }
  'card.detach': { provider: string; ref: string }
  'payment.event': {
    provider: string
    eventId: string
    about: 'payment' | 'setup' | 'refund' | 'dispute' | 'method' | 'other'
    objectRef: string
  }
  /** Queued by the trigger on new payments. */
  'payment.look': { paymentId: number }
  'payment.refund': { refundId: number }
  'payments.tend': Record<string, never>
  'payments.reconcile': Record<string, never>
  'billing.auto': { clientId: number }
  'sandbox.deliver': { eventId: string; type: string; ref: string }
  'invoice.documents': { invoiceId: number }
  'invoice.remake': { invoiceId: number }
  'invoice.month-close': Record<string, never>
  /** Also queued by the trigger on the operator. */
  'fx.fetch': Record<string, never>
  'tax-office.send': Record<string, never>
  'tax-office.follow': Record<string, never>
  'tax-office.search': Record<string, never>
  'vat.check': { clientId: number }
  'privacy.export': { exportId: number }
  'desk.archive': { archiveId: number }
  'announcement.letters': { announcementId: number }
  'usage.rate': Record<string, never>
  'usage.charge-day': Record<string, never>
  'checks.run': Record<string, never>
  'ledger.verify': { checkId: number }
  'reports.fill': Record<string, never>
}

type More = {
  queue?: string
  key?: string
  attempts?: number
  afterMs?: number
  /** Due jobs with a lower value run first; 0 by default. */
  priority?: number
}

/** Builds the call of `enqueue` as an expression inside a larger statement. */
export const jobCall = <J extends keyof Jobs>(
  job: J,
  payload: Jobs[J],
  more: More = {},
): RawBuilder<unknown> =>
  sql`graphile_worker.add_job(
    ${job}, payload => ${JSON.stringify({ ...payload, ...spanForJob() })}::json, queue_name => ${more.queue ?? null},
    max_attempts => ${more.attempts ?? 10}, job_key => ${more.key ?? null}, priority => ${more.priority ?? null}::int,
    run_at => now() + ${more.afterMs ?? null}::int8 * interval '1 millisecond')`

/**
 * Queues a job in the current transaction: it runs at least once after the commit, or never after a rollback.
 * Jobs of one `queue` run one after another; a waiting job with the same `key` is replaced.
 */
export async function enqueue<J extends keyof Jobs>(
  tx: Database,
  job: J,
  payload: Jobs[J],
  more: More = {},
): Promise<void> {
  await sql`select ${jobCall(job, payload, more)}`.execute(tx)
}

/** Queues jobs of one kind as `enqueue` does each, in one statement. */
export async function enqueueEach<J extends keyof Jobs>(
  tx: Database,
  job: J,
  each: readonly { readonly payload: Jobs[J]; readonly key: string }[],
  { afterMs }: { readonly afterMs: number },
): Promise<void> {
  if (each.length === 0) return
  await sql`select from graphile_worker.add_jobs(array(
    select (${job}, x.payload, null, now() + ${afterMs}::int8 * interval '1 millisecond', 10, x.key, null, null)::graphile_worker.job_spec
    from jsonb_to_recordset(${JSON.stringify(each)}::jsonb) x (payload json, key text)))`.execute(tx)
}

/** Queues scheduled jobs immediately, under the key that their schedule uses, so that none is doubled. */
export async function requestScheduled(db: Database, tasks: readonly string[]): Promise<void> {
  await sql`select graphile_worker.add_job(task, '{}'::json, job_key => task, max_attempts => 1)
    from unnest(${[...tasks]}::text[]) task`.execute(db)
}
