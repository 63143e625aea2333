import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { inspectFile } from '#platform/files/stored-files.ts'
import { accessOf, cifOf, distrust, type OfficeParts } from './access.ts'
import { officeCountry } from './collect.ts'
import { mayCall, mostUploadBytes } from './limits.ts'
import { expireLeases, laterBy, noProblem, noteCall, problemOf, settleSending } from './outcomes.ts'
import { OfficeError, type OfficeFile } from './tax-office.ts'

export type SendParts = OfficeParts & { readonly storage: Pick<FileStorage, 'read'>; readonly now: Date }

type Waiting = {
  readonly id: number
  readonly tries: number
  readonly full_number: string
  readonly xml_key: string
  readonly xml_sha256: string
  readonly is_credit_note: boolean
  readonly is_consumer: boolean
  readonly is_abroad: boolean
}

/** SQL: whether the office of a row takes documents now; its columns are those of the table `e`. */
const isOpen = sql`exists (select from tax_offices o where o.environment = e.environment and o.is_on and o.in_use
  and (o.paused_until is null or o.paused_until < now()))`

/** A sending that takes longer is unknown. Its call ends by itself long before. */
const leaseSeconds = 60
/** The time in milliseconds after a claim in which the call must begin. */
const promptMs = 15_000

async function nextWaiting(db: Database, environment: string): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`select e.id, e.tries, i.full_number, i.xml_key, i.xml_sha256,
      i.kind = 'credit_note' as is_credit_note, not (i.buyer ->> 'company')::boolean as is_consumer,
      i.buyer ->> 'country' <> ${officeCountry} as is_abroad
    from e_invoices e join invoices i on i.id = e.invoice_id
    where e.environment = ${environment} and e.state = 'waiting' and e.next_at <= now()
      and ${isOpen}
    order by e.due_on, e.id limit 1`.execute(db)
  return rows[0]
}

/** Postpones a document that cannot be sent now. */
async function postpone(db: Database, { id, tries }: Waiting, problem: string): Promise<void> {
  await db
    .updateTable('e_invoices')
    .set({ tries: tries + 1, next_at: laterBy(tries, '1 hour'), problem, said: null })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Ends a document whose file the office would refuse each time: it is corrected like one that it rejected. */
async function giveUp(db: Database, { id }: Waiting): Promise<void> {
  await db
    .updateTable('e_invoices')
    .set({ state: 'rejected', problem: 'too_large', said: null, settled_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

async function fileOf({ db, storage }: SendParts, waiting: Waiting): Promise<OfficeFile | undefined> {
  const { xml_key: key, xml_sha256: sha256, full_number } = waiting
  const file = await inspectFile(
    storage,
    { key, sha256, what: `document ${full_number}.xml` },
    mostUploadBytes,
  )
  if (file.state !== 'whole') {
    await postpone(db, waiting, 'file')
    return undefined
  }
  if (file.bytes === null) {
    await giveUp(db, waiting)
    return undefined
  }
  return {
    xml: file.bytes,
    isCreditNote: waiting.is_credit_note,
    isConsumer: waiting.is_consumer,
    isAbroad: waiting.is_abroad,
  }
}

/**
 * Takes a waiting document for one sending; undefined where another process did, sending was switched off, or its file was made
 * again since it was read.
 */
async function claim(db: Database, { id, xml_sha256 }: Waiting): Promise<string | undefined> {
  const owner = randomUUID()
  const { rows } = await sql`update e_invoices e set state = 'sending', owner = ${owner}, begun_at = now(),
      lease_until = now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1, xml_sha256 = ${xml_sha256},
      problem = null, said = null, searched_at = null
    where id = ${id} and state = 'waiting' and next_at <= now() and (xml_sha256 is null or xml_sha256 = ${xml_sha256})
      and ${isOpen}
    returning id`.execute(db)
  return rows.length > 0 ? owner : undefined
}

/** The state after a failed sending: nothing happened, or nobody knows. */
const failed = (error: OfficeError, tries: number) => ({
  ...problemOf(error),
  ...(error.isClear
    ? { state: 'waiting', owner: null, lease_until: null, next_at: laterBy(tries, '1 hour') }
    : { state: 'unknown' }),
})

type Sending = { readonly waiting: Waiting; readonly owner: string }

/** Records the index that the office gave; one that another document has is no answer. */
async function received(parts: SendParts, { waiting: { id }, owner }: Sending, index: string): Promise<void> {
  const sent = { state: 'sent', upload_index: index, tries: 0, next_at: sql<string>`now()`, ...noProblem }
  try {
    await settleSending(parts.db, { id, owner }, sent, { late: true })
  } catch (error) {
    if (!isSqlState(error, 'uniqueViolation')) throw error
    await settleSending(parts.db, { id, owner }, { state: 'unknown', problem: 'answer_wrong', said: null })
  }
}

type Call = {
  readonly access: string
  readonly cif: string
  readonly file: OfficeFile
  readonly begun: number
}

async function post(parts: SendParts, sending: Sending, { access, cif, file, begun }: Call): Promise<void> {
  const { id, tries } = sending.waiting
  try {
    // A process that was suspended may no longer call: the document could be decided about by now.
    if (performance.now() - begun > promptMs) throw new OfficeError('unreachable')
    await received(parts, sending, await parts.office.upload(access, cif, file))
    await noteCall(parts.db, parts.office.environment, false)
  } catch (error) {
    if (!(error instanceof OfficeError)) throw error
    if (error.fault === 'unauthorised') await distrust(parts)
    await settleSending(parts.db, { id, owner: sending.owner }, failed(error, tries))
    await noteCall(parts.db, parts.office.environment, error.fault !== 'refused')
  }
}

/** Sends one document; false where none waits, or the office cannot be called now. */
async function sendNext(parts: SendParts): Promise<boolean> {
  const { db, office, now } = parts
  const waiting = await nextWaiting(db, office.environment)
  if (!waiting) return false
  const access = await accessOf(parts, now)
  const cif = await cifOf(db)
  if (access === undefined || cif === undefined) return false
  const file = await fileOf(parts, waiting)
  if (file === undefined) return true
  if (!(await mayCall(db, 'upload'))) return false
  const begun = performance.now()
  const owner = await claim(db, waiting)
  if (owner !== undefined) await post(parts, { waiting, owner }, { access, cif, file, begun })
  return true
}

/**
 * Sends what waits until a time of `performance.now()`, each document once: whatever happens to this process, one whose outcome
 * is not known is never sent again by a machine. Returns whether there may be more.
 */
export async function sendWaiting(parts: SendParts, until: number): Promise<boolean> {
  await expireLeases(parts.db)
  while (performance.now() < until) if (!(await sendNext(parts))) return false
  return true
}
