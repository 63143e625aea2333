import type { Statement, StatementLine } from '#money/bank/files/statement.ts'
import { type Answers, type Pending, type Resolved, take } from './answers.ts'
import { doubtBatches, matchTotals } from './batches.ts'
import { compare, isNext } from './compare.ts'
import { factsKey, type StoredLine, withWords } from './facts.ts'
import { Pool } from './pool.ts'

const read = ({ reading, iban, parts }: Statement, line: StatementLine): Pending =>
  withWords({
    ...line,
    iban,
    reading,
    balances: parts[line.part] ?? { opening: null, closing: null },
    line,
  })

/**
 * Lines that an earlier file of the same reading has word by word. Without a reference, one in the next part of the statement may be
 * another payment just like it.
 */
function matchExact(pool: Pool, answers: Answers, pending: readonly Pending[]): void {
  for (const line of pending) {
    const sure = pool.exact(factsKey(line), (one) => line.reference !== null || !isNext(line, one))
    if (sure) take(pool, answers, line, sure)
  }
}

/** Lines that another reading has, those with the most signs first: each stored line is that of one line. */
function matchAcross(pool: Pool, answers: Answers, pending: readonly Pending[]): void {
  for (const least of [3, 2, 1])
    for (const line of pending) {
      if (answers.has(line.line)) continue
      const found = pool.onDay(line).find((stored) => {
        const { verdict, agreeing } = compare(line, stored)
        return verdict === 'same' && agreeing >= least
      })
      if (found) take(pool, answers, line, found)
    }
}

/** The stored line that a line may be, by the most signs. */
function mostLike(pool: Pool, line: Pending): StoredLine | undefined {
  const alike = pool.exact(factsKey(line))
  if (alike) return alike
  let best: { stored: StoredLine; agreeing: number } | undefined
  for (const stored of pool.around(line)) {
    const { verdict, agreeing } = compare(line, stored)
    if (verdict === 'doubtful' && agreeing > (best?.agreeing ?? -1)) best = { stored, agreeing }
  }
  return best?.stored
}

/** Lines that may be a stored one. */
function doubt(pool: Pool, answers: Answers, pending: readonly Pending[]): void {
  for (const line of pending) {
    const stored = mostLike(pool, line)
    if (stored) answers.set(line.line, { line: line.line, is: 'doubtful', of: stored.money })
  }
}

function firstOf<T>(all: Iterable<T>, isFit: (one: T) => boolean): T | undefined {
  for (const one of all) if (isFit(one)) return one
  return undefined
}

/**
 * Lines that the file itself has twice: in another part that is not the next one, or, in a CSV, under one reference. Nobody but a
 * person knows whether they are two payments.
 */
function doubtRepeats({ format }: Statement, answers: Answers, pending: readonly Pending[]): void {
  const seen = new Map<string, Map<number, Pending>>()
  for (const line of pending) {
    const key = factsKey(line)
    const before = seen.get(key) ?? new Map<number, Pending>()
    seen.set(key, before)
    const { part, reference } = line.line
    const isRepeat = (one: Pending) =>
      one.line.part === part ? format === 'csv' && reference !== null : !isNext(line, one)
    const earlier = firstOf(before.values(), isRepeat)
    if (!before.has(part)) before.set(part, line)
    if (earlier && !answers.has(line.line))
      answers.set(line.line, { line: line.line, is: 'doubtful', repeats: earlier.line })
  }
}

/**
 * Says of each line of a file whether it is new money, that of a line of an earlier file, or doubtful. `known`: lines about which that
 * was said by their place in the file, with the stored rows in which they are.
 */
export function resolveLines(
  statement: Statement,
  stored: readonly StoredLine[],
  known: readonly Resolved[] = [],
): Resolved[] {
  const answers: Answers = new Map(known.map((one) => [one.line, one]))
  const all = statement.lines.map((line) => read(statement, line))
  const pool = new Pool(stored, all.length)
  const placed = new Set(known.flatMap((one) => (one.is === 'new' ? [] : [one.of])))
  for (const line of stored) if (placed.has(line.row)) pool.remove(line)
  const left = () => all.filter(({ line }) => !answers.has(line))
  for (const match of [matchExact, matchAcross, matchTotals]) match(pool, answers, left())
  doubtBatches(pool, answers, left())
  doubt(pool, answers, left())
  doubtRepeats(statement, answers, all)
  return all.map(({ line }) => answers.get(line) ?? { line, is: 'new' })
}
