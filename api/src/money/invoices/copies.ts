import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { openAmount } from '#money/invoice-statuses.ts'
import { billingAddresses } from '#notifications/billing-addresses.ts'
import type { SentDocument } from '#notifications/letters/documents/document-letter.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * The maximum number of document letters per account and day, by all its readers together, to protect
 * strangers from floods.
 */
const mostCopiesADay = 20

/**
 * Counts an account's letters of the last day; a refusal rolls its count back. The counter is one row, so
 * concurrent requests are serialized. Throws `copies_most`.
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
 * Sends letters with a link to a document to some addresses. The link requires sign-in and access to the
 * account's billing. Throws `copies_most` beyond `mostCopiesADay`. Beyond the limits for letters nothing is
 * sent, without notice.
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

/** A document and its client, as the letter about it says them. */
const sentDocument = (tx: Database, id: number) =>
  tx
    .selectFrom('invoices')
    .innerJoin('clients as c', 'c.id', 'invoices.client_id')
    .leftJoin('client_entities as e', 'e.client_id', 'c.id')
    .select([
      'c.email',
      'c.first_name as name',
      'c.closed_at',
      'e.billing_emails',
      'e.attach_invoices',
      'invoices.pdf_key',
      'invoices.xml_key',
      openAmount.as('open'),
    ])
    .where('invoices.id', '=', id)
    .executeTakeFirstOrThrow()

/**
 * Sends a document to the addresses of its client, for staff, with its files where the client wants them attached. Throws
 * `client_closed` and `copies_most`.
 */
export async function sendDocument(
  { tx, vault, now }: Pick<Context, 'tx' | 'vault' | 'now'>,
  { row }: { readonly row: RowOf<'invoices'> },
): Promise<{ status: 'queued' }> {
  const { id: invoiceId, kind, total, currency, issue_date: on, due_date } = row
  const { email, name, billing_emails, closed_at, open, ...files } = await sentDocument(tx, invoiceId)
  if (closed_at !== null) throw refuse('client_closed')
  const addresses = billingAddresses(email, billing_emails)
  await count({ tx, now }, row.client_id, addresses.length)
  const formats = (['pdf', 'xml'] as const).filter((format) => files[`${format}_key`] !== null)
  const letter = {
    kind: 'document-sent',
    name,
    what: kind as SentDocument['what'], // The column allows no other values.
    number: row.full_number ?? '',
    on,
    total,
    currency,
    open: Number(open) > 0 ? { amount: open, due: due_date } : null,
    ...(files.attach_invoices && { attached: { invoiceId, formats } }),
  } as const
  for (const to of addresses) await queueMail({ tx, vault }, { to, language: row.locale, letter })
  return { status: 'queued' }
}
