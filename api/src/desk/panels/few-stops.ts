import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/** The most stops, blocks and closings of one person in an hour. */
const mostStops = 10

/**
 * A stolen session must not stop every panel, or close every account, so further stops take a second person. The action that is about to stop
 * something is in the log already; concurrent ones of the same person wait here. Throws `second_person_required`.
 */
export async function assertFewStops({ tx, actor: { staff }, second }: Context): Promise<void> {
  if (second) return
  const id = staff?.id ?? 0
  await tx.selectFrom('admins').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { rows } = await sql<{ stops: number }>`select count(*)::int as stops from staff_actions
    where admin_id = ${id} and approved_by is null and type = 'desk-clients' and verb in ('suspendPanel', 'suspendClient', 'block', 'closeAccount')
      and at > now() - interval '1 hour'`.execute(tx)
  if ((rows[0]?.stops ?? 0) > mostStops) throw refuse('second_person_required')
}
