import { sql } from 'kysely'
import type { StatementLine } from '#money/bank/files/statement.ts'
import type { Resolved } from '#money/bank/readings/answers.ts'
import type { Database } from '#platform/db/pool.ts'

/** A line that stayed when the import of its file was taken back. */
type Kept = {
  readonly row: number
  /** The row whose money it is. */
  readonly money: number
  /** The line of the file; null for one of before this was kept. */
  readonly at: number | null
  readonly amount: string
  readonly currency: string
  readonly text: string
}

/** The lines that stayed of an import of the same bytes, locked. */
async function keptOf(tx: Database, sha256: Buffer): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select l.id as row, bank_line_root(l.id) as money, l.file_line as at, l.amount, l.currency, l.text
    from bank_lines l join bank_statements s on s.id = l.statement_id
    where s.taken_back_at is not null and s.sha256 = sha256(${sha256} || convert_to(s.id::text, 'UTF8'))
      and l.state <> 'taken_back'
    order by l.id for update of l`.execute(tx)
  return rows
}

/** The line of a place in the file; where the file has several on one line of text, the one that says the same. */
function lineAt(lines: readonly StatementLine[], kept: Kept): StatementLine | undefined {
  if (lines.length < 2) return lines[0]
  return lines.find(({ amount, text }) => amount === kept.amount && text === kept.text)
}

/**
 * The lines of a file whose import was taken back that stand where matched ones stayed: somebody decided about the money of this line
 * and of no other, whatever was misread. With another amount a person says what it is.
 */
export async function keptLines(
  tx: Database,
  sha256: Buffer,
  lines: readonly StatementLine[],
): Promise<Resolved[]> {
  const kept = await keptOf(tx, sha256)
  const byPlace = Map.groupBy(lines, ({ at }) => at)
  const taken = new Set<StatementLine>()
  return kept.flatMap((one): Resolved[] => {
    const { row, money, at, amount, currency } = one
    const line =
      at === null
        ? undefined
        : lineAt(
            (byPlace.get(at) ?? []).filter((each) => !taken.has(each)),
            one,
          )
    if (!line) return []
    taken.add(line)
    const isSame = line.amount === amount && line.currency === currency
    return [isSame ? { line, is: 'same', of: row, money, isAlike: false } : { line, is: 'doubtful', of: row }]
  })
}
