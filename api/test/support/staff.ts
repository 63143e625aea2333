import type { Pool } from '#platform/db/pool.ts'
import { person } from './people.ts'

export type Member = { readonly admin: number; readonly client: number; readonly email: string }

let made = 0

/** A member of staff with an account of their own, as they are who signed in once. */
export async function makeMember(
  pool: Pool,
  role: 'support' | 'billing' | 'admin' | 'readonly',
  more: { readonly totpRequired?: boolean } = {},
): Promise<Member> {
  const email = `${role}-${++made}@staff.example`
  const { id: client, accountId } = await person(pool, email)
  const { id: admin } = await pool.kysely
    .insertInto('admins')
    .values({
      email,
      display_name: role,
      role,
      auth_id: accountId,
      totp_required: more.totpRequired ?? false,
      rights_since: '2020-01-01',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { admin, client, email }
}
