import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Client = RowOf<'clients'>
type Input = { readonly list: string | null; readonly from: string }

/** The id of the list. Throws `price_list_unknown`, `price_list_currency`. */
async function listOf(tx: Database, client: Client, code: string): Promise<number> {
  const found = await tx
    .selectFrom('price_lists as l')
    .innerJoin('clients as c', (join) => join.on('c.id', '=', client.id))
    .innerJoin('currencies as u', 'u.id', 'c.currency_id')
    .select(['l.id', 'l.currency', 'u.code as wanted'])
    .where('l.code', '=', code)
    .where('l.is_default', '=', false)
    .executeTakeFirst()
  const at = { source: { pointer: '/data/list' } }
  if (!found) throw refuse('price_list_unknown', {}, at)
  const { id, currency, wanted } = found
  if (currency !== wanted) throw refuse('price_list_currency', { currency, wanted }, at)
  return id
}

/** Throws `price_list_from_past`: days that are rated keep their prices. */
async function assertFuture(tx: Database, from: string): Promise<void> {
  const { rows } = await sql<{ past: boolean }>`select ${from}::date <= clock_today() as past`.execute(tx)
  if (rows[0]?.past) throw refuse('price_list_from_past', {}, { source: { pointer: '/data/from' } })
}

/**
 * The action of billing staff that charges a client by a list of prices from a UTC day on, or by the default prices; what was
 * planned for that day or later is replaced. Throws `recent_sign_in_required`, `price_list_from_past`, `price_list_unknown`,
 * `price_list_currency`.
 */
export async function giveList(
  context: Context,
  { row, input: { list, from } }: { readonly row: Client; readonly input: Input },
): Promise<Input> {
  const { tx } = context
  assertRecentSignIn(context)
  await assertFuture(tx, from)
  // One after another, so that two given at once cannot both find the same days free.
  await tx.selectFrom('clients').select('id').where('id', '=', row.id).forUpdate().execute()
  await sql`delete from client_price_lists where client_id = ${row.id} and lower(valid) >= ${from}::date`.execute(
    tx,
  )
  await sql`update client_price_lists set valid = daterange(lower(valid), ${from}::date)
    where client_id = ${row.id} and valid @> ${from}::date`.execute(tx)
  if (list !== null)
    await sql`insert into client_price_lists (client_id, price_list_id, valid)
      values (${row.id}, ${await listOf(tx, row, list)}, daterange(${from}::date, null))`.execute(tx)
  return { list, from }
}
