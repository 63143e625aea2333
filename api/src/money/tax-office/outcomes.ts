import { sql, type UpdateObject } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/types.ts'
import type { OfficeError } from './tax-office.ts'

/** The time until the next try, longer after each; exact seconds do not matter. */
export const laterBy = (tries: number, most: string) =>
  sql<string>`now() + least(interval '1 minute' * power(2, least(${tries}::int, 10)), ${most}::interval)`

/** A failure as a row states it. */
export const problemOf = ({ fault, said }: OfficeError) => ({ problem: fault, said })

export const noProblem = { problem: null, said: null } as const

type Change = UpdateObject<DB, 'e_invoices'>

/**
 * Records what became of a sending, while it is still this process’s. `late`: also after its lease, when only a certain
 * acceptance counts; nobody else has decided about it then, or the owner would be another.
 */
export async function settleSending(
  db: Database,
  { id, owner }: { readonly id: number; readonly owner: string },
  change: Change,
  { late = false } = {},
): Promise<void> {
  await db
    .updateTable('e_invoices')
    .set(change)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', 'in', late ? ['sending', 'unknown'] : ['sending'])
    .execute()
}

/** Documents whose sender ended, or hangs: nobody knows whether the office has them. */
export async function expireLeases(db: Database): Promise<void> {
  await sql`update e_invoices set state = 'unknown', problem = 'lease', said = null
    where state = 'sending' and lease_until < now()`.execute(db)
}

/** Sending pauses after this many failures one after another, so that an outage leaves few documents of unknown outcome. */
const mostFailures = 3

/** Counts what hints at an outage. A good call ends the count, and the pause. */
export async function noteCall(db: Database, environment: string, failed: boolean): Promise<void> {
  if (failed)
    await sql`update tax_offices set failures = failures + 1,
        paused_until = case when failures + 1 >= ${mostFailures}::int
          then now() + least(interval '1 minute' * power(2, least(failures + 1 - ${mostFailures}::int, 5)), interval '30 minutes') end
      where environment = ${environment}`.execute(db)
  else
    await sql`update tax_offices set failures = 0, paused_until = null
      where environment = ${environment} and failures > 0`.execute(db)
}
