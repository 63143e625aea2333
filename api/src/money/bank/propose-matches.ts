import { sql } from 'kysely'
import { billReasons, owedStatuses, statusIds } from '#money/invoice-statuses.ts'
import type { Database } from '#platform/db/pool.ts'
import { notStaff } from '#staff/roles.ts'
import { type Candidate, type Document, type Known, type OpenLine, proposer } from './proposals.ts'

/**
 * Documents that money may be for: an expired proforma and a written-off bill can still be paid. A proforma of two years ago is paid
 * by nobody, and abandoned payments by card leave one each. One that was cancelled, or whose account has left its currency, takes
 * no money, but says whose it is.
 */
async function payable(tx: Database): Promise<Document[]> {
  const { rows } = await sql<Document>`
    with found as (
      select i.id, i.client_id, i.full_number, i.currency, i.written_off, i.issued_at, u.code as kept_in, i.total - i.paid - i.credited + i.written_off as due,
        i.invoice_status_id in ${statusIds('cancelled')} or i.currency <> u.code as former
      from invoices i join clients c on c.id = i.client_id join currencies u on u.id = c.currency_id
      where i.issued_at is not null
        and (i.kind = 'proforma' and i.issued_at > now() - interval '2 years'
            and i.invoice_status_id in ${statusIds('unpaid', 'partially_paid', 'overdue', 'expired', 'cancelled')}
          or i.kind = 'fiscal' and i.reason in ${billReasons} and (i.invoice_status_id in ${owedStatuses} or i.written_off > 0))
    ) select id, client_id as client, full_number as number, case when former then kept_in else currency end as currency, due,
      written_off > 0 as lost, former
    from found where due > 0 order by issued_at, id`.execute(tx)
  return rows
}

/** Whose money came from an account before. */
async function payersOf(tx: Database, lines: readonly OpenLine[]): Promise<Known[]> {
  const ibans = [...new Set(lines.flatMap(({ iban }) => iban ?? []))]
  const { rows } = await sql<Known>`
    select distinct payer_iban as sign, client_id as client from bank_lines
    where state = 'matched' and payer_iban = any(${ibans}::text[])`.execute(tx)
  return rows
}

/** Clients by the name of their company, or by their own in either order; each of the three has an index. */
async function namesakes(tx: Database, lines: readonly OpenLine[]): Promise<Known[]> {
  const names = [...new Set(lines.flatMap(({ payer }) => payer ?? []))]
  const { rows: signs } = await sql<{ sign: string; folded: string }>`
    select n as sign, search_fold(n) as folded from unnest(${names}::text[]) n`.execute(tx)
  const wanted = [...new Set(signs.map(({ folded }) => folded))]
  // A list of values and no join: a plan by wrong statistics reads the clients once at worst, and not once for each name.
  const { rows } = await sql<{ folded: string; client: number }>`
    select search_fold(company_name) as folded, client_id as client from client_entities
      where search_fold(company_name) = any(${wanted}::text[]) and not is_staff(client_id)
    union select search_fold(first_name || ' ' || last_name), id from clients
      where search_fold(first_name || ' ' || last_name) = any(${wanted}::text[]) and ${notStaff('clients')}
    union select search_fold(last_name || ' ' || first_name), id from clients
      where search_fold(last_name || ' ' || first_name) = any(${wanted}::text[]) and ${notStaff('clients')}`.execute(
    tx,
  )
  const clients = Map.groupBy(rows, ({ folded }) => folded)
  return signs.flatMap(({ sign, folded }) =>
    (clients.get(folded) ?? []).map(({ client }) => ({ sign, client })),
  )
}

async function openLines(tx: Database, most: number): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select id, amount, currency, payer_name as payer, payer_iban as iban, text, is_reversal as reversal from bank_lines
    where id in (select id from bank_lines where state = 'open' order by id desc limit ${most})
    order by booked_on, id`.execute(tx)
  return rows
}

type Proposed = {
  readonly id: number
  readonly match: string
  readonly candidates: readonly Candidate[]
}

async function keep(tx: Database, proposed: readonly Proposed[]): Promise<void> {
  // Another transaction decides about a line that it has locked, and may wait for rows that this one has locked.
  await sql`with other as (
      select l.id, n.match, n.candidates
      from jsonb_to_recordset(${JSON.stringify(proposed)}::jsonb) n (id bigint, match text, candidates jsonb) join bank_lines l using (id)
      where l.state = 'open' and (l.match, l.candidates) is distinct from (n.match, n.candidates)
      order by l.id for update of l skip locked)
    update bank_lines l set match = o.match, candidates = o.candidates, problem = null from other o where l.id = o.id`.execute(
    tx,
  )
}

// Nobody decides singly about more, and a few of the largest files have as many.
const mostOpen = 100_000

const linesAtOnce = 5000

/**
 * Proposes again whose the open lines are, of those that were imported last: with each statement, since documents are issued and paid
 * meanwhile. Other requests are answered in between.
 */
export async function proposeMatches(tx: Database, most = mostOpen): Promise<void> {
  const lines = await openLines(tx, most)
  if (lines.length === 0) return
  const propose = proposer({
    documents: await payable(tx),
    payers: await payersOf(tx, lines),
    names: await namesakes(tx, lines),
  })
  for (let at = 0; at < lines.length; at += linesAtOnce)
    await keep(tx, propose(lines.slice(at, at + linesAtOnce)))
}
