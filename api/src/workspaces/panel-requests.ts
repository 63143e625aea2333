import type { EngineActor } from '@portico/contract/engine/wire.ts'
import { minuteMs } from '@portico/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { enqueue, type Jobs } from '#platform/jobs/enqueue.ts'

// The job queue works best with few queue names; panels that share one are merely serialized.
const queues = 32

type More = {
  readonly attempts?: number
  readonly actor?: EngineActor | undefined
  readonly afterMs?: number
  readonly priority?: number
}

type AboutPanel = {
  [J in keyof Jobs]: Jobs[J] extends { panelId: number }
    ? { panelId: number } extends Jobs[J]
      ? J
      : never
    : never
}[keyof Jobs]

/**
 * Queues a job for one panel. Jobs for one panel run in order; a waiting job is not doubled, and a new
 * request resets the attempts of a failed one.
 */
async function request(
  tx: Database,
  job: AboutPanel,
  panelId: number,
  { attempts, actor, afterMs, priority }: More = {},
): Promise<void> {
  await enqueue(
    tx,
    job,
    { panelId, ...(actor !== undefined && { actor }) },
    {
      queue: `panels-${panelId % queues}`,
      key: `${job}:${panelId}`,
      ...(attempts !== undefined && { attempts }),
      ...(afterMs !== undefined && { afterMs }),
      ...(priority !== undefined && { priority }),
    },
  )
}

export const requestProvision = (tx: Database, panelId: number, actor?: EngineActor) =>
  request(tx, 'panel.provision', panelId, { actor })
export const requestRename = (tx: Database, panelId: number, actor?: EngineActor) =>
  request(tx, 'panel.rename', panelId, { actor })
export const requestDelete = (tx: Database, panelId: number, actor?: EngineActor) =>
  request(tx, 'panel.delete', panelId, { actor })
export const requestPlan = (tx: Database, panelId: number, afterMs = 0) =>
  request(tx, 'panel.plan', panelId, { afterMs })
export const requestSuspension = (tx: Database, panelId: number) => request(tx, 'panel.suspension', panelId)

/** The same before everything else that waits: what sends spam does not go on until hundreds of readings are done. */
export const requestStop = (tx: Database, panelId: number) =>
  request(tx, 'panel.suspension', panelId, { priority: -2 })
export const requestReading = (tx: Database, panelId: number) =>
  request(tx, 'panel.sync', panelId, { attempts: 3 })

/** The sync interval of panels whose engine sends events, and of others. */
const readEvery = { withEvents: 10 * minuteMs, withoutEvents: minuteMs }
const readAtOnce = 200

const interval = (ms: number): RawBuilder<string> => sql`${ms} * interval '1 millisecond'`

/**
 * Queues syncs for the panels that are due, a batch at a time, and moves each to the end of the order
 * whatever the outcome. Concurrent replicas take different panels. Panels of an engine that is down keep
 * their place: its health is checked every minute, and they are synced when it is back.
 */
export async function requestDueSyncs(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      with due as (
        select p.id, coalesce((e.capabilities ->> 'events')::boolean, false) as sends_events,
          (e.capabilities ->> 'read_seconds')::int as seconds
        from panels p join panel_engines e on e.id = p.panel_engine_id
        where p.external_id is not null and p.deleted_at is null and p.status <> 'deleting'
          and p.sync_due_at <= ${now.toISOString()} and e.health <> 'down' and e.disabled_at is null
        order by p.sync_due_at limit ${readAtOnce} for update of p skip locked
      )
      update panels set sync_due_at = ${now.toISOString()}::timestamptz + case
        when panels.status = 'provisioning' then ${interval(readEvery.withoutEvents)}
        when due.seconds is not null then due.seconds * interval '1 second'
        when due.sends_events then ${interval(readEvery.withEvents)}
        else ${interval(readEvery.withoutEvents)} end
      from due where panels.id = due.id returning panels.id`.execute(tx)
    for (const { id } of rows) await requestReading(tx, id)
    return rows.length
  })
}
