import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { sql, type UpdateObject } from 'kysely'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/types.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { accessOf, distrust } from './access.ts'
import { mayCall } from './limits.ts'
import { laterBy, noProblem, problemOf } from './outcomes.ts'
import type { SendParts } from './send.ts'
import { type OfficeAnswer, OfficeError } from './tax-office.ts'

export type FollowParts = SendParts & { readonly storage: Pick<FileStorage, 'incoming' | 'keep' | 'read'> }

type Sent = RowOf<'e_invoices'> & { readonly full_number: string }
type Change = UpdateObject<DB, 'e_invoices'>

const longestReasons = 2000

/** Takes a sent document for one look at it; a process that ends meanwhile leaves it to the next. */
async function nextSent(db: Database, environment: string): Promise<Sent | undefined> {
  return db
    .updateTable('e_invoices')
    .set({ next_at: sql`now() + interval '1 minute'`, tries: sql`tries + 1` })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('e_invoices as e')
        .select('e.id')
        .where('e.environment', '=', environment)
        .where('e.state', '=', 'sent')
        .where('e.next_at', '<=', sql<string>`now()`)
        .orderBy('e.next_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns.e_invoices)
    .returning(sql<string>`(select i.full_number from invoices i where i.id = invoice_id)`.as('full_number'))
    .executeTakeFirst()
}

async function change(db: Database, { id, upload_index }: Sent, set: Change): Promise<void> {
  await db
    .updateTable('e_invoices')
    .set(set)
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .where('upload_index', '=', upload_index)
    .execute()
}

const settled = sql<string>`now()`

/** What a person typed as the index is not that of the document, or not one that was accepted: its outcome is unknown again. */
const typedInVain = (problem: 'index_of_other' | 'index_rejected', said: string | null): Change => ({
  state: 'unknown',
  upload_index: null,
  outcome: null,
  download_id: null,
  is_index_typed: false,
  problem,
  said,
})

async function askState({ db, office }: FollowParts, sent: Sent, access: string): Promise<void> {
  const { upload_index: index, tries } = sent
  if (index === null) return
  if (!(await mayCall(db, 'state', index))) return change(db, sent, { next_at: laterBy(10, '1 hour') })
  const answer = await office.state(access, index)
  if (answer.state === 'in_process') await change(db, sent, { next_at: laterBy(tries, '15 minutes') })
  else if (answer.state === 'errors')
    await change(
      db,
      sent,
      sent.is_index_typed
        ? typedInVain('index_rejected', answer.said)
        : { state: 'rejected', outcome: 'nok', said: answer.said, problem: null, settled_at: settled },
    )
  else
    await change(db, sent, {
      outcome: answer.state,
      download_id: answer.downloadId,
      tries: 0,
      next_at: sql`now()`,
      ...noProblem,
    })
}

async function keepZip({ storage }: FollowParts, zip: Buffer): Promise<Change> {
  const [key, file] = [randomUUID(), path.join(storage.incoming, randomUUID())]
  try {
    await fs.writeFile(file, zip, { mode: 0o600 })
    await storage.keep(key, file)
  } finally {
    await fs.rm(file, { force: true })
  }
  return { signed_key: key, signed_sha256: createHash('sha256').update(zip).digest('hex') }
}

/** The end of a document: the signed file of just this one, or the reasons against it. */
async function settle(parts: FollowParts, sent: Sent, answer: OfficeAnswer): Promise<void> {
  const { outcome, full_number, is_index_typed } = sent
  const isAccepted = outcome === 'ok'
  if (isAccepted && answer.document?.number !== full_number) {
    // The office itself never says the index of another document.
    const said = answer.document?.number ?? null
    return change(
      parts.db,
      sent,
      is_index_typed
        ? typedInVain('index_of_other', said)
        : { next_at: laterBy(10, '1 day'), problem: 'index_of_other', said },
    )
  }
  if (!isAccepted && answer.reasons.length === 0) throw new OfficeError('answer_wrong')
  const reasons = answer.reasons.join('\n').slice(0, longestReasons)
  // The reasons do not say of which document they are, so those of another one would end this one.
  if (!isAccepted && is_index_typed) return change(parts.db, sent, typedInVain('index_rejected', reasons))
  await change(parts.db, sent, {
    ...(await keepZip(parts, answer.zip)),
    state: isAccepted ? 'accepted' : 'rejected',
    problem: null,
    said: isAccepted ? null : reasons,
    settled_at: settled,
  })
}

async function fetchAnswer(parts: FollowParts, sent: Sent, access: string): Promise<void> {
  const { download_id: id } = sent
  if (id === null) return
  if (!(await mayCall(parts.db, 'download', id)))
    return change(parts.db, sent, { next_at: laterBy(10, '1 hour') })
  await settle(parts, sent, await parts.office.download(access, id))
}

/** Looks at one sent document; false where none is due, or the office cannot be called now. */
async function followNext(parts: FollowParts): Promise<boolean> {
  const access = await accessOf(parts, parts.now)
  if (access === undefined) return false
  const sent = await nextSent(parts.db, parts.office.environment)
  if (!sent) return false
  try {
    await (sent.outcome === null ? askState : fetchAnswer)(parts, sent, access)
  } catch (error) {
    if (!(error instanceof OfficeError)) throw error
    if (error.fault === 'unauthorised') await distrust(parts)
    await change(parts.db, sent, { ...problemOf(error), next_at: laterBy(sent.tries, '1 hour') })
    return error.fault !== 'busy' && error.fault !== 'unreachable'
  }
  return true
}

/**
 * Asks for the state of sent documents until a time of `performance.now()`, and stores what the office signed. Returns whether
 * there may be more.
 */
export async function followSent(parts: FollowParts, until: number): Promise<boolean> {
  while (performance.now() < until) if (!(await followNext(parts))) return false
  return true
}
