import { sql } from 'kysely'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import type { Letter } from '#notifications/letters/letters.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { staffAction } from '#platform/db/settings.ts'

/** The reason of the staff action of this transaction, for the client to read. */
export async function reasonInLog(tx: Database): Promise<string> {
  const { rows } = await sql<{ reason: string }>`
    select reason from staff_actions where id = ${staffAction}`.execute(tx)
  const [action] = rows
  if (!action) throw new Error('Every write of staff has its action.')
  return action.reason
}

/** Writes a letter to a client, in their language. */
export async function writeClient(
  { tx, vault }: Pick<Context, 'tx' | 'vault'>,
  client: number,
  letter: (about: { readonly name: string }) => Letter,
): Promise<void> {
  const { email, name, language } = await clientsWithLanguage(tx)
    .select(['c.email', 'c.first_name as name', 'l.code as language'])
    .where('c.id', '=', client)
    .executeTakeFirstOrThrow()
  await queueMail({ tx, vault }, { to: email, language, letter: letter({ name }) })
}
