import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'

/** Letters with documents of one account in a day, whoever of those who see them asks: strangers are not to be flooded by them. */
const mostCopiesADay = 20

/**
 * Counts letters of an account with those of its last day; a refusal takes them back with its transaction. The counter is one
 * row, so requests at the same moment are counted one after another. Throws `copies_most`.
 */
async function count({ tx, now }: Pick<Context, 'tx' | 'now'>, client: number, letters: number) {
  const key = createHash('sha256').update(`invoice-copies:${client}`).digest()
  const at = now.toISOString()
  const { rows } = await sql<{ all: number; wait: number }>`
    insert into auth_throttle as t (key, fails, window_start) values (${key}, ${letters}, ${at}::timestamptz)
    on conflict (key) do update set
      fails = case when t.window_start > ${at}::timestamptz - interval '1 day' then t.fails else 0 end + excluded.fails,
      window_start = case when t.window_start > ${at}::timestamptz - interval '1 day' then t.window_start
        else excluded.window_start end
    returning fails as all,
      ceil(extract(epoch from window_start + interval '1 day' - ${at}::timestamptz))::int as wait`.execute(tx)
  const [counted] = rows
  if (counted === undefined || counted.all <= mostCopiesADay) return
  throw refuse(
    'copies_most',
    { most: mostCopiesADay },
    {
      headers: { 'retry-after': String(counted.wait) },
    },
  )
}

/**
 * Sends a letter with a link to a document to some addresses. Whoever follows the link has to sign in: what is in it is for
 * those who see the account's billing. Throws `copies_most` beyond `mostCopiesADay`. Beyond the limits of letters nothing is
 * sent, and nobody is told.
 */
export async function requestCopies(
  { tx, vault, now }: Pick<Context, 'tx' | 'vault' | 'now'>,
  invoice: RowOf<'invoices'>,
  emails: readonly string[],
): Promise<{ status: 'queued' }> {
  const number = invoice.full_number ?? ''
  const addresses = new Set(emails.map((email) => email.toLowerCase()))
  await count({ tx, now }, invoice.client_id, addresses.size)
  for (const to of addresses) {
    const letter = { kind: 'invoice-copy', number, invoiceId: invoice.id } as const
    await queueMail({ tx, vault }, { to, language: invoice.locale, letter })
  }
  return { status: 'queued' }
}
