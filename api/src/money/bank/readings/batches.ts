import { type Answers, type Pending, take } from './answers.ts'
import { referenceSign } from './compare.ts'
import type { StoredLine } from './facts.ts'
import { type Group, type Pool, sumOf } from './pool.ts'

// A bank may give a batch as one line in one format, and as its payments in another.

const groupKey = (sum: string, currency: string): string => `${sum} ${currency}`

function groupsBySum(pool: Pool): Map<string, Group[]> {
  return Map.groupBy(pool.groups(), ({ sum, lines }) => groupKey(sum, lines[0]?.currency ?? ''))
}

const first = ({ lines }: Group): StoredLine | undefined => lines[0]

/** Lines that are the total of a batch whose every payment is known, by its reference. */
export function matchTotals(pool: Pool, answers: Answers, pending: readonly Pending[]): void {
  const groups = groupsBySum(pool)
  for (const line of pending) {
    const found = groups.get(groupKey(line.amount, line.currency))?.find((group) => {
      const one = first(group)
      return (
        one?.day === line.day &&
        one.iban === line.iban &&
        referenceSign(line, one) === 'agrees' &&
        group.lines.every((each) => pool.has(each))
      )
    })
    for (const each of found?.lines ?? []) take(pool, answers, line, each)
  }
}

const dayMs = 86_400_000
const isWithinAWeek = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) < 7 * dayMs

/** References of two formats may be of two kinds, so that on one day they contradict within one reading only. */
const mayBe = (line: Pending, stored: StoredLine): boolean =>
  referenceSign(line, stored) !== 'differs' || (line.day === stored.day && line.reading !== stored.reading)

/** Lines that may be the total of a batch by its sum alone, and batches that may be a line by theirs. */
export function doubtBatches(pool: Pool, answers: Answers, pending: readonly Pending[]): void {
  const stored = groupsBySum(pool)
  for (const line of pending) {
    const found = stored
      .get(groupKey(line.amount, line.currency))
      ?.map(first)
      .find((one) => one && isWithinAWeek(one.day, line.day) && mayBe(line, one))
    if (found) answers.set(line.line, { line: line.line, is: 'doubtful', of: found.money })
  }
  const batches = Map.groupBy(
    pending.filter(({ batch }) => batch !== null),
    ({ batch }) => batch?.entry,
  )
  for (const lines of batches.values()) doubtBatch(pool, answers, lines)
}

function doubtBatch(pool: Pool, answers: Answers, lines: readonly Pending[]): void {
  const [one] = lines
  if (!one || lines.length < 2) return
  const total = { amount: sumOf(lines), currency: one.currency }
  const found = pool.ofAmount(one.day, total).find((stored) => stored.batch === null && mayBe(one, stored))
  if (!found) return
  for (const { line } of lines) answers.set(line, { line, is: 'doubtful', of: found.money })
}
