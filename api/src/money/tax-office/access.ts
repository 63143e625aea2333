import { createHash, randomBytes } from 'node:crypto'
import { dayMs, minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import { mayCall } from './limits.ts'
import { OfficeError, type OfficeTokens, type TaxOffice } from './tax-office.ts'

export type Office = RowOf<'tax_offices'>

/** The dependencies of calls to the office. `db` is the pool's: nothing here runs inside a transaction. */
export type OfficeParts = { readonly db: Database; readonly vault: Vault; readonly office: TaxOffice }

/** The facts of the office: a refresh token lives a year. */
const refreshMs = 365 * dayMs
/** An access token is refreshed when it ends within this time. */
const soonMs = 7 * dayMs
/** The number of days before the end of the refresh token from which staff are alerted. */
const refreshWarningDays = 30
const refreshLease = sql.lit('40 seconds')

const accessKind = 'einvoice_access'
const about = 'e-invoices'

export async function officeRow(
  db: Database,
  { environment }: Pick<TaxOffice, 'environment'>,
): Promise<Office> {
  return db
    .selectFrom('tax_offices')
    .select(columns.tax_offices)
    .where('environment', '=', environment)
    .executeTakeFirstOrThrow()
}

/** The operator's number as the office takes it, without the prefix of the country. */
export async function cifOf(db: Database): Promise<string | undefined> {
  const operator = await db.selectFrom('operator_profile').select('tax_number').executeTakeFirst()
  return operator?.tax_number.replace(/\D/g, '')
}

/** The columns of new tokens. */
export const tokenColumns = (vault: Vault, now: Date, { access, accessEndsAt, refresh }: OfficeTokens) => ({
  access_sealed: vault.seal(access),
  access_ends_at: accessEndsAt,
  refresh_sealed: vault.seal(refresh),
  refresh_ends_at: new Date(now.getTime() + refreshMs).toISOString(),
  refreshing_until: null,
  problem: null,
  said: null,
})

type Former = Pick<Office, 'id' | 'refresh_sealed'>

/** The refresh of one process at a time: the office may end the former token with it. False once there are newer tokens. */
async function beginRefresh(db: Database, { id, refresh_sealed }: Former): Promise<boolean> {
  const begun = await db
    .updateTable('tax_offices')
    .set({ refreshing_until: sql`now() + ${refreshLease}::interval` })
    .where('id', '=', id)
    .where('refresh_sealed', '=', refresh_sealed)
    .where((eb) => eb.or([eb('refreshing_until', 'is', null), sql<boolean>`refreshing_until < now()`]))
    .returning('id')
    .executeTakeFirst()
  return begun !== undefined
}

/** Without access nothing is sent, so a person has to authorise the portal again, unless one did meanwhile. */
async function loseAccess(db: Database, row: Office, error: OfficeError): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const lost = error.fault === 'refused' || error.fault === 'unauthorised'
    const ended = await tx
      .updateTable('tax_offices')
      .set({
        refreshing_until: null,
        problem: error.fault,
        said: error.said,
        ...(lost && { access_sealed: null, refresh_sealed: null, refresh_ends_at: null }),
      })
      .where('id', '=', row.id)
      .where('refresh_sealed', '=', row.refresh_sealed)
      .returning('id')
      .executeTakeFirst()
    if (ended) await alertStaff(tx, about, accessKind, { failure: error.said ?? error.fault })
  })
}

async function refreshed(
  { db, vault, office }: OfficeParts,
  row: Office,
  now: Date,
): Promise<string | undefined> {
  if (row.refresh_sealed === null || !(await beginRefresh(db, row))) return undefined
  try {
    if (!(await mayCall(db, 'token'))) throw new OfficeError('busy')
    const tokens = await office.refresh(vault.unseal(row.refresh_sealed))
    await db
      .updateTable('tax_offices')
      .set(tokenColumns(vault, now, tokens))
      .where('id', '=', row.id)
      .where('refresh_sealed', '=', row.refresh_sealed)
      .execute()
    await resolveAlert(db, about, accessKind)
    return tokens.access
  } catch (error) {
    if (!(error instanceof OfficeError)) throw error
    await loseAccess(db, row, error)
    return undefined
  }
}

/** The token for calls, refreshed in time; undefined while there is none. */
export async function accessOf(parts: OfficeParts, now: Date): Promise<string | undefined> {
  const row = await officeRow(parts.db, parts.office)
  const endsIn = row.access_ends_at === null ? 0 : Date.parse(row.access_ends_at) - now.getTime()
  if (row.access_sealed !== null && endsIn > soonMs) return parts.vault.unseal(row.access_sealed)
  const fresh = await refreshed(parts, row, now)
  if (fresh !== undefined) return fresh
  // Another process refreshes it, or the office does not answer: it is good until it ends.
  return row.access_sealed !== null && endsIn > minuteMs ? parts.vault.unseal(row.access_sealed) : undefined
}

/** The office did not take the token, so it is refreshed before the next call. */
export async function distrust({ db, office }: OfficeParts): Promise<void> {
  await db
    .updateTable('tax_offices')
    .set({ access_sealed: null, access_ends_at: null })
    .where('environment', '=', office.environment)
    .execute()
}

const hashOf = (state: string) => createHash('sha256').update(state).digest()

/** Begins the authorisation by a person; returns what comes back with the code. */
export async function beginAuthorisation(tx: Database, id: number, adminId: number): Promise<string> {
  const state = randomBytes(32).toString('base64url')
  await tx
    .updateTable('tax_offices')
    .set({ asked_hash: hashOf(state), asked_by: adminId, asked_until: sql`now() + interval '15 minutes'` })
    .where('id', '=', id)
    .execute()
  return state
}

/** Whether this person began the authorisation that came back; each is taken once. */
export async function takeAuthorisation(
  tx: Database,
  { id, adminId, state }: { readonly id: number; readonly adminId: number; readonly state: string },
): Promise<boolean> {
  const taken = await tx
    .updateTable('tax_offices')
    .set({ asked_hash: null, asked_by: null, asked_until: null })
    .where('id', '=', id)
    .where('asked_hash', '=', hashOf(state))
    .where('asked_by', '=', adminId)
    .where('asked_until', '>', sql<string>`now()`)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Alerts staff before the authorisation ends, and ends the alert with the next one. */
export async function watchAccess(db: Database, row: Office, now: Date): Promise<void> {
  if (!row.is_on) return
  if (row.refresh_sealed === null) {
    await alertStaff(db, about, accessKind, { failure: row.said ?? row.problem })
    return
  }
  const endsOn = row.refresh_ends_at ?? now.toISOString()
  if (Date.parse(endsOn) - now.getTime() < refreshWarningDays * dayMs)
    await alertStaff(db, about, accessKind, { day: endsOn.slice(0, 10) })
  else if (row.problem === null) await resolveAlert(db, about, accessKind)
}
