import type { Statement } from '#money/bank/files/statement.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Resolved } from './answers.ts'
import type { StoredLine } from './facts.ts'

/** So many lines with the amounts of another column are no accident of one payment. */
const leastWrong = 3

/**
 * Throws `statement_line_conflict` for a CSV most of whose references had other amounts on the same days before: its amounts are read
 * from another column, such as that of the balance. A few such lines are doubtful, and a person decides.
 */
export function assertColumnsFit(
  { format, reading }: Statement,
  stored: readonly StoredLine[],
  resolved: readonly Resolved[],
): void {
  if (format !== 'csv') return
  const others = stored.filter((one) => one.reading !== reading && !one.isTakenBack)
  const amounts = Map.groupBy(others, ({ reference, day }) => `${day} ${reference}`)
  const known = resolved.flatMap((one) => {
    const { day, reference, amount } = one.line
    const found = reference === null ? undefined : amounts.get(`${day} ${reference}`)
    return found
      ? [{ ...one, isWrong: one.is !== 'same' && found.every((each) => each.amount !== amount) }]
      : []
  })
  const wrong = known.filter(({ isWrong }) => isWrong)
  const [{ line } = {}] = wrong
  if (line && wrong.length >= leastWrong && wrong.length * 2 > known.length)
    throw refuse('statement_line_conflict', { line: line.at, reference: line.reference ?? '' })
}
