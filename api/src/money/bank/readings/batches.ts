import { type Answers, answerSame, isElsewhere, type Pending } from './answers.ts'
import { compare, referenceSign } from './compare.ts'
import type { Read, StoredLine } from './facts.ts'
import { daysAround, type Pool, placeOf, sumOf } from './pool.ts'

// A bank may give a batch as one line in one format, and as its payments in another.

/** Stored payments of one entry, by the day and the sum as which another file may have them. */
function batchesIn(pool: Pool): Map<string, StoredLine[][]> {
  const payments = pool.all.filter(({ batch }) => batch !== null)
  const entries = Map.groupBy(payments, ({ statement, batch }) => `${statement} ${batch?.entry}`)
  return Map.groupBy(entries.values(), (lines) => placeOf(lines[0]?.day ?? '', totalOf(lines)))
}

const totalOf = (lines: readonly Read[]) => ({ amount: sumOf(lines), currency: lines[0]?.currency ?? '' })

/** References of two formats may be of two kinds, so that on one day they contradict within one reading only. */
const mayBe = (line: Read, stored: StoredLine): boolean =>
  referenceSign(line, stored) !== 'differs' || (line.day === stored.day && line.reading !== stored.reading)

/** Lines that are the total of a batch whose every payment is known, by its reference. */
export function matchTotals(pool: Pool, answers: Answers, lines: readonly Pending[]): void {
  const batches = batchesIn(pool)
  for (const line of lines) {
    if (answers.has(line.line)) continue
    const found = batches.get(placeOf(line.day, line))?.find((payments) => {
      const [one] = payments
      return (
        one?.iban === line.iban &&
        referenceSign(line, one) === 'agrees' &&
        payments.every((each) => !each.isTakenBack && pool.has(each))
      )
    })
    for (const each of found ?? []) answerSame(pool, answers, line, each)
  }
}

/** Lines that may be the total of a batch by its sum alone, and batches, whole in `all`, that may be a line by theirs. */
export function doubtBatches(
  pool: Pool,
  answers: Answers,
  lines: readonly Pending[],
  all: readonly Pending[],
): void {
  const batches = batchesIn(pool)
  for (const line of lines) {
    if (answers.has(line.line)) continue
    const found = daysAround(line.day)
      .flatMap((day) => batches.get(placeOf(day, line)) ?? [])
      .find(([one]) => one && mayBe(line, one))
    const [first] = found ?? []
    if (!found || !first) continue
    answers.set(line.line, { line: line.line, is: 'doubtful', of: first.row })
    doubtParts(answers, found)
  }
  const entries = new Set(
    lines.flatMap(({ line, batch }) => (batch && !answers.has(line) ? [batch.entry] : [])),
  )
  const own = Map.groupBy(
    all.filter(({ batch }) => batch !== null && entries.has(batch.entry)),
    ({ batch }) => batch?.entry,
  )
  const left = Map.groupBy(
    lines.filter(({ line }) => !answers.has(line)),
    (line) => placeOf(line.day, line),
  )
  for (const payments of own.values()) doubtBatch(pool, answers, payments, left)
}

/** Other lines of the file that were taken for payments of a batch that one of its lines may be as a whole. */
function doubtParts(answers: Answers, payments: readonly StoredLine[]): void {
  const rows = new Set(payments.map(({ row }) => row))
  for (const [line, { row }] of answers.by)
    if (rows.has(row) && isElsewhere(answers.get(line))) answers.set(line, { line, is: 'doubtful', of: row })
}

/**
 * The payments of an entry that nothing decided yet, where another line has their sum. So is one that another reading has, where one of
 * the lines that are left is that payment as well.
 */
function doubtBatch(
  pool: Pool,
  answers: Answers,
  payments: readonly Pending[],
  left: ReadonlyMap<string, readonly Pending[]>,
): void {
  const [one] = payments
  if (!one || payments.length < 2) return
  const found = pool
    .ofAmount(one.day, totalOf(payments))
    .find((stored) => stored.batch === null && mayBe(one, stored))
  if (!found) return
  for (const payment of payments) {
    const { line } = payment
    const stored = answers.by.get(line)
    const isClaimed = stored && isElsewhere(answers.get(line)) && isLeft(left, payment, stored)
    if (answers.has(line) && !isClaimed) continue
    if (stored) pool.release(stored)
    answers.set(line, { line, is: 'doubtful', of: found.row })
  }
}

/** Whether a line of another entry is left that is the same as a stored one. */
const isLeft = (
  left: ReadonlyMap<string, readonly Pending[]>,
  { day, amount, currency, batch }: Pending,
  stored: StoredLine,
): boolean =>
  left
    .get(placeOf(day, { amount, currency }))
    ?.some((one) => one.batch?.entry !== batch?.entry && compare(one, stored).verdict === 'same') ?? false
