import { factInWords } from '@portico/contract/rules/alert-words.ts'
import { sql } from 'kysely'
import { brokenRules } from '#money/invoices/documents/cius-ro.ts'
import { ubl } from '#money/invoices/documents/ubl.ts'
import { type KeepParts, type Kept, keepFile, readDocument } from '#money/invoices/files.ts'
import { collectDocuments } from '#money/tax-office/collect.ts'
import { resolveAlert } from '#platform/alerts.ts'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { dropRefused } from '#platform/files/stored-files.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { assertRemakable } from './remakable.ts'

declare module '#platform/context.ts' {
  interface Ports {
    readonly documentFiles: KeepParts
  }
}

/** The electronic invoice by the rules of today. Throws `einvoice_still_broken`. */
async function madeAgain(db: Database, id: number): Promise<string> {
  const found = await readDocument(db, id)
  if (found === null) throw refuse('einvoice_not_rejected')
  const rules = brokenRules(found.data)
  if (rules.length === 0) return ubl(found.data)
  const inWords = (language: 'en' | 'ro') => factInWords(rules, 'rules', language)
  throw refuse('einvoice_still_broken', { rules: { en: inWords('en'), ro: inWords('ro') } })
}

/** Locks a document, then its rows for the office, so that neither a credit note nor a colleague comes between. */
async function hold(tx: Database, id: number): Promise<void> {
  await sql`select from invoices where id = ${id} for no key update`.execute(tx)
  await sql`select from e_invoices where invoice_id = ${id} order by id for update`.execute(tx)
}

/** SQL: the row e of a document for the office in use, where the office rejected it. */
const rejected = (id: number) => sql`e.invoice_id = ${id} and e.state = 'rejected'
  and e.environment = (select o.environment from tax_offices o where o.in_use)`

/** Keeps the replaced file and the answer of the office as they are. */
async function archive(tx: Database, id: number): Promise<void> {
  await sql`insert into replaced_e_invoices (invoice_id, environment, xml_key, xml_sha256, due_on, begun_at, upload_index, outcome,
      download_id, problem, said, settled_at, signed_key, signed_sha256)
    select e.invoice_id, e.environment, i.xml_key, i.xml_sha256, e.due_on, e.begun_at, e.upload_index, e.outcome,
      e.download_id, e.problem, e.said, e.settled_at, e.signed_key, e.signed_sha256
    from e_invoices e join invoices i on i.id = e.invoice_id where ${rejected(id)}`.execute(tx)
}

/** Lets the document wait for the sending of its new file; the last day on which it may be sent stays. */
async function sendAgain(tx: Database, id: number, { sha256 }: Kept): Promise<void> {
  await sql`update e_invoices e set state = 'waiting', owner = null, lease_until = null, begun_at = null, upload_index = null,
      is_index_typed = false, outcome = null, download_id = null, tries = 0, next_at = now(), problem = null, said = null,
      searched_at = null, settled_at = null, signed_key = null, signed_sha256 = null
    where ${rejected(id)}`.execute(tx)
  // A process that has read the former file may no longer claim the document.
  await sql`update e_invoices set xml_sha256 = ${sha256} where invoice_id = ${id} and state = 'waiting'`.execute(
    tx,
  )
  await collectDocuments(tx, { only: id })
  await enqueue(tx, 'tax-office.send', {}, { key: 'tax-office.send' })
}

async function replace(tx: Database, { id, full_number }: RowOf<'invoices'>, kept: Kept) {
  await hold(tx, id)
  await assertRemakable(tx, id)
  await archive(tx, id)
  await tx
    .updateTable('invoices')
    .set({ xml_key: kept.key, xml_sha256: kept.sha256 })
    .where('id', '=', id)
    .execute()
  await sendAgain(tx, id, kept)
  await resolveAlert(tx, `document ${full_number}`, 'einvoice_broken')
  const { rows } = await sql<{ state: 'waiting' }>`select e.state from e_invoices e
    join tax_offices o on o.environment = e.environment and o.in_use where e.invoice_id = ${id}`.execute(tx)
  return { state: rows[0]?.state ?? null }
}

/**
 * The staff action that makes the electronic invoice of a document again, which the office rejected or which violated a rule, and
 * sends it under the same number. The books do not move. Throws like `assertRemakable`, `einvoice_still_broken`,
 * `recent_sign_in_required`, and what the storage throws.
 */
export async function remakeEInvoice(
  outsideContext: OutsideContext,
  { row }: { readonly row: RowOf<'invoices'> },
) {
  assertRecentSignIn(outsideContext)
  const { documentFiles } = outsideContext.ports
  const { kysely } = documentFiles.pool
  await assertRemakable(kysely, row.id)
  const kept = await keepFile(documentFiles, await madeAgain(kysely, row.id))
  try {
    return await outsideContext.within(({ tx }: Context) => replace(tx, row, kept))
  } catch (error) {
    await dropRefused(documentFiles.storage, kept.key, error)
    throw error
  }
}
