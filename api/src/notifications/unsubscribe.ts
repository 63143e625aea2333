import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { unsealOrUndefined, type Vault } from '#platform/vault.ts'

/** Sealed as what it is for, so that nothing else that the vault sealed passes for it. */
const purpose = /^unsubscribe newsletter (\d{1,15})$/

/** The path of the page that turns off letters with news for a client, without signing in. It does not expire. */
export const unsubscribePath = (vault: Vault, client: number): string =>
  `/unsubscribe/${vault.seal(`unsubscribe newsletter ${client}`).toString('base64url')}`

/** Turns off letters with news for the client of a link; again changes nothing. Throws `link_invalid`. */
export async function unsubscribe(tx: Database, vault: Vault, token: string): Promise<void> {
  const [, client] = purpose.exec(unsealOrUndefined(vault, Buffer.from(token, 'base64url')) ?? '') ?? []
  if (client === undefined) throw refuse('link_invalid')
  const { rows } = await sql`
    update clients set mail_off = case when 'newsletter' = any(mail_off) then mail_off else mail_off || '{newsletter}' end
    where id = ${client}::int8 and closed_at is null returning id`.execute(tx)
  if (rows.length === 0) throw refuse('link_invalid')
}
