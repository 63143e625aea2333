import { setImmediate } from 'node:timers/promises'
import type { Part, Statement, StatementLine } from '#money/bank/files/statement.ts'
import { Answers, answerSame, isElsewhere, type Pending, type Resolved } from './answers.ts'
import { doubtBatches, matchTotals } from './batches.ts'
import { compare, isNext, isOtherPart } from './compare.ts'
import { factsKey, type StoredLine, withWords } from './facts.ts'
import { Pool } from './pool.ts'
import { Taken } from './taken.ts'

const noBalances: Part = { opening: null, closing: null }

function readAll({ reading, iban, parts, lines }: Statement): Pending[] {
  const isOneDay = new Set(lines.map(({ day }) => day)).size === 1
  return lines.map((line) =>
    withWords({ ...line, iban, reading, balances: parts[line.part] ?? noBalances, isOneDay, line }),
  )
}

const linesAtOnce = 200

/** Decides about each line that nothing decided yet. Other requests are answered meanwhile. */
async function eachLeft(
  answers: Answers,
  lines: readonly Pending[],
  decide: (line: Pending) => void,
): Promise<void> {
  for (const [at, line] of lines.entries()) {
    if (at % linesAtOnce === 0) await setImmediate()
    if (!answers.has(line.line)) decide(line)
  }
}

/** Lines that another reading has, those with the most signs first: each stored line is that of one line. */
async function matchAcross(pool: Pool, answers: Answers, lines: readonly Pending[]): Promise<void> {
  for (const least of [3, 2, 1])
    await eachLeft(answers, lines, (line) => {
      const found = pool.onDay(line).find((stored) => {
        const { verdict, agreeing } = compare(line, stored)
        return verdict === 'same' && agreeing >= least
      })
      if (found) answerSame(pool, answers, line, found)
    })
}

/** The stored line that a line may be, by the most signs. */
function mostLike(pool: Pool, line: Pending): StoredLine | undefined {
  const alike = pool.exact(factsKey(line))
  if (alike) return alike
  let best: { stored: StoredLine; agreeing: number } | undefined
  for (const stored of pool.around(line)) {
    const { verdict, agreeing } = compare(line, stored)
    if (verdict !== 'other' && agreeing > (best?.agreeing ?? -1)) best = { stored, agreeing }
  }
  // Of too many lines only some were compared.
  return best?.stored ?? pool.restOfDay(line)
}

function firstOf<T>(all: Iterable<T>, isFit: (one: T) => boolean): T | undefined {
  for (const one of all) if (isFit(one)) return one
  return undefined
}

/**
 * Lines that the file itself has twice: in another part that is not the next one, or, in a CSV, under one reference. Nobody but a
 * person knows whether they are two payments.
 */
function doubtRepeats({ format }: Statement, answers: Answers, lines: readonly Pending[]): void {
  const seen = new Map<string, Map<number, Pending>>()
  for (const line of lines) {
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

const dayMs = 86_400_000
const daysAtOnce = 7

/** Lines of some days at a time: a file of a year would need a year of stored lines at once. */
const byDays = (lines: readonly Pending[]): Iterable<Pending[]> =>
  Map.groupBy(lines, ({ day }) => Math.floor(Date.parse(day) / dayMs / daysAtOnce)).values()

/** Finds the stored lines of the same days and amounts as some lines, or, around them, every one that they may be. */
export type Load = (
  lines: readonly StatementLine[],
  where: 'on their days' | 'around',
) => Promise<StoredLine[]>

/** What is sure: lines that a file of the same reading has word by word, then those of others, then totals of batches. */
async function match(pool: Pool, answers: Answers, lines: readonly Pending[]): Promise<void> {
  await eachLeft(answers, lines, (line) => {
    const sure = pool.exact(factsKey(line), (one) => !isOtherPart(line, one))
    if (sure) answerSame(pool, answers, line, sure, true)
  })
  await matchAcross(pool, answers, lines)
  matchTotals(pool, answers, lines)
}

/**
 * Lines that another reading has as a line that may be other money, or is a part of it, where the file also has that money: nobody said
 * whether the two lines are one payment. So are those that have the money of which a line of the file may be, word by word.
 */
function doubtClaims(taken: Taken, answers: Answers): void {
  const claimed = new Set<number>()
  for (const [line, { doubtOf }] of answers.by) {
    const answer = answers.get(line)
    if (answer?.is !== 'same' || doubtOf === null) continue
    if (answer.isAlike) claimed.add(doubtOf)
    else if (taken.hasMoney({ money: doubtOf })) answers.set(line, { line, is: 'doubtful', of: doubtOf })
  }
  for (const [line, { row, money }] of answers.by)
    if (isElsewhere(answers.get(line)) && claimed.has(money))
      answers.set(line, { line, is: 'doubtful', of: row })
}

/** Lines with the other payments of their entries, whose sum another file may have as one line. */
function withBatches(some: readonly Pending[], lines: readonly Pending[]): readonly Pending[] {
  const entries = new Set(some.flatMap(({ batch }) => batch?.entry ?? []))
  return entries.size === 0
    ? some
    : [...new Set([...some, ...lines.filter(({ batch }) => batch !== null && entries.has(batch.entry))])]
}

/**
 * Says of each line of a file whether it is new money, that of a line of an earlier file, or doubtful. `known`: lines about which that
 * was said by their place in the file, with the stored rows in which they are.
 */
export async function resolveLines(
  statement: Statement,
  load: Load,
  known: readonly Resolved[] = [],
): Promise<Resolved[]> {
  const answers = new Answers(known.map((one) => [one.line, one]))
  const lines = readAll(statement)
  const taken = new Taken()
  for (const one of known) if (one.is === 'same') taken.add({ row: one.of, money: one.money })
  const poolOf = async (some: readonly Pending[], where: Parameters<Load>[1]) => {
    const stored = await load(
      some.map(({ line }) => line),
      where,
    )
    return Pool.of(stored, some.length, taken)
  }
  for (const some of byDays(lines)) await match(await poolOf(some, 'on their days'), answers, some)
  doubtClaims(taken, answers)
  for (const some of byDays(lines.filter(({ line }) => !answers.has(line)))) {
    const pool = await poolOf(withBatches(some, lines), 'around')
    doubtBatches(pool, answers, some, lines)
    await eachLeft(answers, some, (line) => {
      const like = mostLike(pool, line)
      if (like) answers.set(line.line, { line: line.line, is: 'doubtful', of: like.row })
    })
  }
  doubtRepeats(statement, answers, lines)
  return lines.map(({ line }) => answers.get(line) ?? { line, is: 'new' })
}
