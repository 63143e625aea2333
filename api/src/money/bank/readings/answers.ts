import type { StatementLine } from '#money/bank/files/statement.ts'
import type { Read, StoredLine } from './facts.ts'
import type { Pool } from './pool.ts'

/**
 * A line of a file with what is known of its money. `of`: the stored row that says the same, or may; `money`: the row that has its money;
 * `isAlike`: whether it says so word by word; `repeats`: an earlier line of the file.
 */
export type Resolved = { readonly line: StatementLine } & (
  | { readonly is: 'new' }
  | { readonly is: 'same'; readonly of: number; readonly money: number; readonly isAlike: boolean }
  | { readonly is: 'doubtful'; readonly of?: number; readonly repeats?: StatementLine }
)

/** Whether another reading has the line. */
export const isElsewhere = (answer: Resolved | undefined): boolean => answer?.is === 'same' && !answer.isAlike

/** A line whose money is not known yet. */
export type Pending = Read & { readonly line: StatementLine }

/** What was said of the lines of a file, and by which stored ones. */
export class Answers extends Map<StatementLine, Resolved> {
  readonly by = new Map<StatementLine, StoredLine>()
}

/** Answers that a line of the file is the same as a stored one, which no other line can be then. */
export function answerSame(
  pool: Pool,
  answers: Answers,
  { line }: Pending,
  stored: StoredLine,
  isAlike = false,
) {
  pool.remove(stored)
  answers.by.set(line, stored)
  answers.set(line, { line, is: 'same', of: stored.row, money: stored.money, isAlike })
}
