import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

/**
 * The action of administrators that queues a verification of the ledger. One whose job died is recorded as failed first.
 * Throws `ledger_check_running`.
 */
export async function verifyLedger({ tx, actor }: Context): Promise<{ check_id: number }> {
  // All of its attempts are over by then.
  await sql`update ledger_checks set status = 'failed', finished_at = now()
    where status = 'waiting' and created_at < now() - interval '3 hours'`.execute(tx)
  const check = await tx
    .insertInto('ledger_checks')
    .values({ admin_id: actor.staff?.id ?? null })
    .onConflict((one) => one.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!check) throw refuse('ledger_check_running')
  await enqueue(tx, 'ledger.verify', { checkId: check.id }, { attempts: 1 })
  return { check_id: check.id }
}
