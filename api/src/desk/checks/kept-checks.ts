import { sql } from 'kysely'
import { alertStaff, resolveOthers } from '#platform/alerts.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Finding, FindingState } from './finding.ts'

/** The checks with their configuration, which only the start knows. */
export type CheckParts = { readonly findAll: () => Promise<Finding[]> }

const order: readonly FindingState[] = ['stop', 'warn', 'hint', 'good']

/** The time of the database, by which the runs on all machines are in order. */
async function databaseNow(db: Database): Promise<string> {
  const { rows } = await sql<{ at: string }>`select now() as at`.execute(db)
  if (rows[0] === undefined) throw new Error('The time is always one row.')
  return rows[0].at
}

/** Queues a run of all checks; one that waits already is enough. Returns the moment from which its results are. */
export async function requestChecks(db: Database): Promise<string> {
  await enqueue(db, 'checks.run', {}, { key: 'checks.run', attempts: 1 })
  return databaseNow(db)
}

const fails = ({ state }: { readonly state: string }): boolean => state === 'stop' || state === 'warn'

type Kept = { readonly about: string; readonly state: string; readonly turned_at: string | null }

type Turned = { readonly at: string | null; readonly isAgain: boolean }

/** By subject, when those that fail now turned: now for one that was well in the run before, null for one that never was. */
function turnedAt(found: readonly Finding[], before: readonly Kept[], now: string): Map<string, Turned> {
  const earlier = Map.groupBy(before, ({ about }) => about)
  const turned = (kept: readonly Kept[]): Turned => {
    const failed = kept.find(fails)
    if (failed) return { at: failed.turned_at, isAgain: true }
    return { at: kept.length > 0 ? now : null, isAgain: false }
  }
  return new Map(found.filter(fails).map(({ about }) => [about, turned(earlier.get(about) ?? [])]))
}

const alertKind = 'check_failed'
const caseOf = (about: string): string => `check ${about}`

/**
 * Alerts staff to each check that was well and has failed twice since, as a mail server may miss one question; the alert
 * ends when the check is well. One that never was well is a step of the set-up and no alert.
 */
async function alertTurned(tx: Database, found: readonly Finding[], turned: Map<string, Turned>) {
  const goingOn: string[] = []
  for (const { about, state, words } of found.filter(fails)) {
    const { at, isAgain } = turned.get(about) ?? { at: null, isAgain: false }
    if (at === null || !isAgain || goingOn.includes(caseOf(about))) continue
    goingOn.push(caseOf(about))
    await alertStaff(tx, caseOf(about), alertKind, { state, found_en: words.en, found_ro: words.ro })
  }
  await resolveOthers(tx, alertKind, goingOn)
}

/**
 * Makes all checks, and keeps their results in place of the earlier ones, the worst first; `checked_at` is when the run
 * began. One that turned alerts staff. Of two runs at once, the results of the one that began last stay.
 */
export async function runChecks({ pool, findAll }: CheckParts & { readonly pool: Pool }): Promise<void> {
  const checked_at = await databaseNow(pool.kysely)
  const found = await findAll()
  const sorted = found.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  await pool.kysely.transaction().execute(async (tx) => {
    await sql`lock table checks in share row exclusive mode`.execute(tx)
    const later = await tx.selectFrom('checks').select('id').where('checked_at', '>', checked_at).execute()
    if (later.length > 0) return
    const before = await tx.deleteFrom('checks').returning(['about', 'state', 'turned_at']).execute()
    const turned = turnedAt(sorted, before, checked_at)
    const rows = sorted.map(({ about, state, words }) => ({
      about,
      state,
      words_en: words.en,
      words_ro: words.ro,
      checked_at,
      turned_at: fails({ state }) ? (turned.get(about)?.at ?? null) : null,
    }))
    if (rows.length > 0) await tx.insertInto('checks').values(rows).execute()
    await alertTurned(tx, sorted, turned)
  })
}
