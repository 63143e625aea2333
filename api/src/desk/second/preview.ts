import type { deskRequests } from '@portico/contract/resources/desk-requests.ts'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import { inBase, leftOf } from '#money/corrections/limits.ts'
import { openAmount } from '#money/invoice-statuses.ts'
import { currencyOf } from '#money/ledger/entries.ts'
import { readAccounts } from '#money/ledger/held.ts'
import type { Context, Second } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { staffAction } from '#platform/db/settings.ts'

type Input = z.output<typeof deskRequests.actions.preview.input>
type Preview = z.input<typeof deskRequests.actions.preview.output>
type Moved = Parameters<Second['weigh']>[0]
type About = Pick<Input, 'verb' | 'ref'>

/** SQL: the client whom a row is about, by the type of the verb. */
const clients = {
  'desk-clients': (id: string) => sql<{ id: number }>`select id from clients where id = ${id}::int8`,
  invoices: (id: string) => sql<{ id: number }>`select client_id as id from invoices where id = ${id}::int8`,
  transactions: (id: string) =>
    sql<{ id: number }>`select client_id as id from payments where id = ${id}::int8`,
}

/** Undefined for a row that is not there, which the verb refuses. */
async function clientOf(tx: Database, { verb, ref }: About): Promise<number | undefined> {
  if (!/^\d{1,18}$/.test(ref)) return undefined
  const { rows } = await clients[askedVerbs[verb].type](ref).execute(tx)
  return rows[0]?.id
}

async function heldNow(tx: Database, client: number) {
  const { balance, credit } = await readAccounts(tx, client)
  return { account_balance: Number(balance), credit_balance: Number(credit) }
}

async function openOf(tx: Database, { verb, ref }: About): Promise<number | null> {
  if (askedVerbs[verb].type !== 'invoices') return null
  const { rows } = await sql<{
    open: string
  }>`select ${openAmount} as open from invoices where id = ${ref}::int8`.execute(tx)
  return Number(rows[0]?.open)
}

type Unpaid = { readonly id: number; readonly full_number: string; readonly open: number }

/** The documents of a client that are not paid in full, oldest first. */
async function unpaidOf(tx: Database, client: number): Promise<readonly Unpaid[]> {
  const { rows } = await sql<Unpaid>`select id, full_number, (${openAmount})::float8 as open from invoices
    where client_id = ${client} and full_number is not null and ${openAmount} > 0 order by id`.execute(tx)
  return rows
}

/** Those of them, other than the row of the verb, of which another part is unpaid now. */
async function paidSince(tx: Database, client: number, before: readonly Unpaid[], own: About) {
  const left = new Map((await unpaidOf(tx, client)).map((one) => [one.id, one.open]))
  const isOwn = ({ id }: Unpaid) => askedVerbs[own.verb].type === 'invoices' && String(id) === own.ref
  return before
    .map((one) => ({ one, after: left.get(one.id) ?? 0 }))
    .filter(({ one, after }) => one.open !== after && !isOwn(one))
    .map(({ one: { full_number, open }, after }) => ({ full_number, before: open, after }))
}

/** The newest document and refund of a client; those of a trial are newer. */
async function newestOf(tx: Database, client: number) {
  const { rows } = await sql<{ invoice: number; refund: number }>`
    select (select coalesce(max(id), 0) from invoices where client_id = ${client}) as invoice,
      (select coalesce(max(id), 0) from payment_refunds where client_id = ${client}) as refund`.execute(tx)
  const [newest] = rows
  if (!newest) throw new Error('The statement always has one row.')
  return newest
}

type Newest = Awaited<ReturnType<typeof newestOf>>

/** What a trial has issued, and what it would send back. */
async function issuedSince(tx: Database, client: number, { invoice, refund }: Newest) {
  const documents = await sql<Preview['documents'][number]>`select kind, currency, net::float8 as net,
      vat::float8 as vat, total::float8 as total from invoices
    where client_id = ${client} and id > ${invoice} order by id`.execute(tx)
  const refunds = await sql<NonNullable<Preview['refund']>>`select p.currency, r.net::float8 as net,
      r.vat::float8 as vat, r.gross::float8 as gross from payment_refunds r join payments p on p.id = r.payment_id
    where r.client_id = ${client} and r.id > ${refund}`.execute(tx)
  return { documents: documents.rows, refund: refunds.rows[0] ?? null }
}

/** What is left of the reader's limit, and whether the amount is above it. */
async function limitFor(context: Context, verb: Input['verb'], moved: Moved) {
  const { base, of } = await inBase(context.tx, { ...moved, amount: new Big(moved.amount) })
  const left = await leftOf(context, verb)
  return { limit_left: Number(left), limit_currency: of, above_limit: base.gt(left) }
}

/** Names the client in the entry of the look, which changes no row that would name them. */
async function nameInLog(tx: Database, client: number): Promise<void> {
  await sql`update staff_actions set client_id = ${client} where id = ${staffAction}`.execute(tx)
}

/** Says what a verb that moves money would do: it is run and undone. Throws like the verb, but not for its limit. */
export async function preview(
  context: Context,
  { input: { verb, ref, input } }: { readonly input: Input },
): Promise<Preview> {
  const { tx, actor, perform } = context
  const { staff } = actor
  if (staff === undefined) throw new Error('The policy lets staff alone through.')
  const client = (await clientOf(tx, { verb, ref })) ?? 0
  const [before, openBefore, newest, unpaid] = [
    await heldNow(tx, client),
    await openOf(tx, { verb, ref: client === 0 ? '0' : ref }),
    await newestOf(tx, client),
    await unpaidOf(tx, client),
  ]
  const weighed: Moved[] = []
  const asked = { staff, type: askedVerbs[verb].type, verb, ref, input, reason: await reasonInLog(tx) }
  await sql`savepoint previewed`.execute(tx)
  await perform({ ...asked, second: { by: null, weigh: (moved) => weighed.push(moved) } })
  const after = await heldNow(tx, client)
  const openAfter = await openOf(tx, { verb, ref })
  const issued = await issuedSince(tx, client, newest)
  const paid = await paidSince(tx, client, unpaid, { verb, ref })
  await sql`rollback to savepoint previewed`.execute(tx)
  await nameInLog(tx, client)
  const currency = await currencyOf(tx, client)
  return {
    currency,
    before,
    after,
    ...issued,
    paid,
    open: openBefore === null || openAfter === null ? null : { before: openBefore, after: openAfter },
    ...(await limitFor(context, verb, weighed[0] ?? { amount: '0', currency })),
  }
}
