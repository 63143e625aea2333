import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { accessOf, cifOf, distrust } from './access.ts'
import { mayCall } from './limits.ts'
import type { SendParts } from './send.ts'
import { OfficeError, type OfficeFault, type OfficeMessage } from './tax-office.ts'

/** The time between two searches, while a document of unknown outcome is left. */
const pause = sql.lit('10 minutes')
/** Our clock and the office's may differ. */
const marginMs = 10 * 60_000
/** The office lists the last sixty days. */
const furthestMs = 59 * 86_400_000
const mostPages = 1000

type Search = { readonly from: Date; readonly began: string }

/** Takes the next search for this process; undefined while nothing is unknown, or one was made just now. */
async function beginSearch({ db, office, now }: SendParts): Promise<Search | undefined> {
  const { rows } = await sql<{ began: string; first: string }>`update tax_offices o set searched_at = now()
    from (select min(begun_at) as first from e_invoices where environment = ${office.environment} and state = 'unknown') u
    where o.environment = ${office.environment} and o.is_on and u.first is not null
      and (o.searched_at is null or o.searched_at < now() - ${pause}::interval)
    returning o.searched_at as began, u.first`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const first = Date.parse(row.first) - marginMs
  return { began: row.began, from: new Date(Math.max(first, now.getTime() - furthestMs)) }
}

/** The messages that were not read before, and are of no document whose index is known. */
async function unread(db: Database, environment: string, messages: readonly OfficeMessage[]) {
  const { rows } = await sql<{ id: string; index: string }>`
    select m.id, m.index from unnest(${messages.map(({ id }) => id)}::text[], ${messages.map(({ uploadIndex }) => uploadIndex)}::text[]) m (id, index)
    where not exists (select from tax_office_messages t where t.environment = ${environment} and t.message_id = m.id)
      and not exists (select from e_invoices e where e.environment = ${environment} and e.upload_index = m.index)`.execute(
    db,
  )
  return rows
}

type Found = { readonly id: string; readonly index: string }

/** Reads which document a message is about, once; false where the office would not allow it now. */
async function readMessage(parts: SendParts, access: string, { id, index }: Found): Promise<boolean> {
  const { db, office } = parts
  if (!(await mayCall(db, 'download', id))) return false
  const { document } = await office.download(access, id)
  await db
    .insertInto('tax_office_messages')
    .values({
      environment: office.environment,
      message_id: id,
      upload_index: index,
      full_number: document?.number ?? null,
      issue_date: document?.issueDate ?? null,
      total: document?.total ?? null,
      currency: document?.currency ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

/** Settles documents of unknown outcome by number, day and amount: the office has them. */
async function settleFound(db: Database, environment: string): Promise<void> {
  await sql`update e_invoices e set state = 'sent', upload_index = f.upload_index, tries = 0, next_at = now(),
      problem = null, said = null, lease_until = null
    from (select distinct on (u.id) u.id, m.upload_index from e_invoices u
      join invoices i on i.id = u.invoice_id
      join tax_office_messages m on m.environment = u.environment and m.full_number = i.full_number
        and m.issue_date = i.issue_date and m.total = abs(i.total) and m.currency = i.currency
      where u.environment = ${environment} and u.state = 'unknown'
        and not exists (select from e_invoices o where o.environment = u.environment and o.upload_index = m.upload_index)
      order by u.id, m.message_id) f
    where e.id = f.id and e.state = 'unknown'`.execute(db)
}

// Of one message, and not of the office.
const ofMessage: readonly OfficeFault[] = ['answer_wrong', 'answer_too_large', 'refused', 'failed']

/** The same, and false too for a message whose file is broken: it must not hide the others. */
async function tryMessage(parts: SendParts, access: string, found: Found): Promise<boolean> {
  try {
    return await readMessage(parts, access, found)
  } catch (error) {
    if (error instanceof OfficeError && ofMessage.includes(error.fault)) return false
    throw error
  }
}

/** Reads every page from a time; false where it could not be read whole. */
async function readLists(parts: SendParts, access: string, from: Date, until: number): Promise<boolean> {
  const { db, office, now } = parts
  const cif = await cifOf(db)
  if (cif === undefined) return false
  let isWhole = true
  for (let page = 1, pages = 1; page <= Math.min(pages, mostPages); page++) {
    if (!(await mayCall(db, 'list'))) return false
    const listed = await office.messages(access, cif, { from, until: now, page })
    pages = listed.pages
    const sent = listed.messages.filter(({ isSent }) => isSent)
    for (const found of await unread(db, office.environment, sent)) {
      if (performance.now() > until) return false
      if (!(await tryMessage(parts, access, found))) isWhole = false
    }
  }
  return isWhole
}

/** Another process, or this one after its time limit, goes on at once. */
const searchAgain = (db: Database, environment: string) =>
  sql`update tax_offices set searched_at = null where environment = ${environment}`.execute(db)

/**
 * Looks for documents of unknown outcome in the lists of the office until a time of `performance.now()`. Returns whether it has
 * to go on.
 */
export async function searchUnknown(parts: SendParts, until: number): Promise<boolean> {
  const { db, office, now } = parts
  const access = await accessOf(parts, now)
  if (access === undefined) return false
  const search = await beginSearch(parts)
  if (!search) return false
  const { environment } = office
  try {
    const isWhole = await readLists(parts, access, search.from, until)
    await settleFound(db, environment)
    // Only a document that was sent before the search began can be said to be missing.
    if (isWhole)
      await sql`update e_invoices set searched_at = ${search.began} where environment = ${environment} and state = 'unknown'
        and begun_at < ${search.began}`.execute(db)
    else if (performance.now() > until) await searchAgain(db, environment)
    return !isWhole && performance.now() > until
  } catch (error) {
    if (!(error instanceof OfficeError)) throw error
    if (error.fault === 'unauthorised') await distrust(parts)
    return false
  }
}
