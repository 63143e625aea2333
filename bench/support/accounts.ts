import { createAccount } from '../../api/src/identity/accounts.ts'
import { hashPassword } from '../../api/src/identity/crypto.ts'
import { withClient } from '../../api/src/platform/db/client.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { Pool } from '../../api/src/platform/db/pool.ts'
import { password } from './portal.ts'

/** Gives clients of the filled database a password. */
export async function giveAccounts(connection: Connection, emails: readonly string[]): Promise<void> {
  const pool = new Pool(connection, 1, () => undefined)
  try {
    const passwordHash = await hashPassword(password)
    for (const email of emails) {
      const id = await createAccount(pool.kysely, { email, passwordHash, verifiedAt: new Date() })
      await pool.kysely.updateTable('clients').set({ auth_id: id }).where('email', '=', email).execute()
    }
  } finally {
    await pool.close()
  }
}

/** Lets the members of staff sign in as the clients of the same addresses. */
export async function giveStaff(connection: Connection): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(
      'update admins set auth_id = c.auth_id from clients c where c.email = admins.email and c.auth_id is not null',
    )
  })
}
