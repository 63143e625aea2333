import Big from 'big.js'
import { sql } from 'kysely'
import { canBeTakenBack } from '#money/bank/line-states.ts'
import type { Database } from '#platform/db/pool.ts'

/** A line of `bank_lines` with the line that it is the same as, or may be. */
type Linked = {
  readonly id: number
  readonly state: string
  readonly amount: string
  readonly same_as: number | null
}

/** A line to change: the same as another one from now on, or else doubtful, perhaps the same as one. */
type Link =
  | { readonly id: number; readonly isSame: true; readonly as: number }
  | { readonly id: number; readonly isSame: false; readonly as: number | null }

type Ended = { readonly line: Linked; readonly end: Linked }

/**
 * The last removed line on the way from one to what it is the same as. Undefined for lines that are the same as each other, of which
 * none was the first.
 */
function endOf(start: Linked, removed: ReadonlyMap<number, Linked>): Linked | undefined {
  const passed = new Set<number>()
  let at = start
  while (at.state === 'same') {
    const next = removed.get(at.same_as ?? 0)
    if (next === undefined) return at
    if (passed.has(next.id)) return undefined
    passed.add(next.id)
    at = next
  }
  return at
}

const isAlike = ({ line, end }: Ended): boolean => new Big(line.amount).eq(end.amount)

/** The line that replaces each end: the first that was the same as it, with its amount. */
function firstOfEnds(ended: readonly Ended[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>()
  for (const { line, end } of ended.filter((one) => one.line.state === 'same' && isAlike(one)))
    first.set(end.id, Math.min(first.get(end.id) ?? line.id, line.id))
  return first
}

/** What becomes of a line; undefined where it stays as it is. */
function linkOf(one: Ended, firsts: ReadonlyMap<number, number>): Link | undefined {
  const { line, end } = one
  const { id } = line
  const next = end.same_as === id ? null : end.same_as
  if (end.state === 'same') return next === null ? undefined : { id, as: next, isSame: true }
  if (line.state !== 'same') return undefined
  if (!isAlike(one)) return { id, as: null, isSame: false }
  const first = firsts.get(end.id) ?? id
  return id > first ? { id, as: first, isSame: true } : { id, as: next, isSame: false }
}

/**
 * What lines of other files are the same as once the removed lines are gone. A line that was the same as one of these is the same as the
 * next one that stays. Where none stays, the first is doubtful again, since it is in no book now, and the others of its amount are the
 * same as that one.
 */
export function newLinks(removed: readonly Linked[], followers: readonly Linked[]): Link[] {
  const byId = new Map(removed.map((line) => [line.id, line]))
  const ended = followers.flatMap((line): Ended[] => {
    const start = byId.get(line.same_as ?? 0)
    const end = start && endOf(start, byId)
    return end ? [{ line, end }] : []
  })
  const firsts = firstOfEnds(ended)
  return ended.flatMap((one) => linkOf(one, firsts) ?? [])
}

/** Lines of other files that point to lines that a statement gives up, locked. */
async function holdFollowers(tx: Database, statementId: number): Promise<readonly Linked[]> {
  const { rows } = await sql<Linked>`select l.id, l.state, l.amount, l.same_as
    from bank_lines l where l.statement_id <> ${statementId} and l.same_as in (
      select l.id from bank_lines l where l.statement_id = ${statementId} and ${canBeTakenBack})
    order by l.id for update`.execute(tx)
  return rows
}

/**
 * Before the unmatched lines of a statement are deleted, changes the lines of other files that point to them, so that each points to
 * what the deleted line pointed to.
 */
export async function relinkLines(tx: Database, statementId: number): Promise<void> {
  const followers = await holdFollowers(tx, statementId)
  if (followers.length === 0) return
  const { rows: removed } = await sql<Linked>`select l.id, l.state, l.amount, l.same_as
    from bank_lines l where l.statement_id = ${statementId} and ${canBeTakenBack}`.execute(tx)
  const links = newLinks(removed, followers)
  const linked = (isSame: boolean) => {
    const chosen = links.filter((link) => link.isSame === isSame)
    return sql`unnest(${chosen.map(({ id }) => id)}::bigint[], ${chosen.map(({ as }) => as)}::bigint[]) a (id, other)`
  }
  await sql`update bank_lines l set same_as = a.other from ${linked(true)} where l.id = a.id`.execute(tx)
  await sql`update bank_lines l set state = 'doubtful', same_as = coalesce(l.doubt_of, a.other, l.same_as), doubt_of = null
    from ${linked(false)} where l.id = a.id`.execute(tx)
}
