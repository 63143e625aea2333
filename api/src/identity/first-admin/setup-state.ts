import { sql } from 'kysely'
import type { Work } from '#identity/identity-context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { hasSecondFactor } from '#staff/roles.ts'

/** Whether the portal has had an administrator with the required second factor. A demo always has. */
export async function isSetUp(db: Database): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select exists (select from settings
      where key = 'set_up_at' or (key = 'installation' and value = '"demo"'))
    or exists (select from admins m where m.role = 'admin' and m.disabled_at is null and m.auth_id is not null
      and ${sql.raw(hasSecondFactor('m'))}) as done`.execute(db)
  return rows[0]?.done === true
}

/** Throws `registration_not_open`: before there is an administrator, nobody could help a client. */
export async function assertSetUp(db: Database): Promise<void> {
  if (!(await isSetUp(db))) throw refuse('registration_not_open')
}

/** Remembers that the portal is set up, when an administrator has enabled a second factor. */
export async function endSetup({ tx, now }: Pick<Work, 'tx' | 'now'>, accountId: string): Promise<void> {
  const { rows } =
    await sql`insert into settings (key, value) select 'set_up_at', to_jsonb(${now.toISOString()}::text)
    where exists (select from admins where auth_id = ${accountId} and role = 'admin' and disabled_at is null)
    on conflict (key) do nothing returning key`.execute(tx)
  // The list of what the portal still needs, which the administrator sees next.
  if (rows.length > 0) await enqueue(tx, 'checks.run', {}, { key: 'checks.run', attempts: 1 })
}
