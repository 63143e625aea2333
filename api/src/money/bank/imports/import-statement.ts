import { createHash } from 'node:crypto'
import { actionKey } from '#money/bank/decisions/match-line.ts'
import type { Columns } from '#money/bank/files/csv.ts'
import { readStatement } from '#money/bank/files/read-statement.ts'
import { cleanIban, invalidLine, type Statement } from '#money/bank/files/statement.ts'
import { holdImports } from '#money/bank/line-states.ts'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import type { Resolved } from '#money/bank/readings/answers.ts'
import { resolveLines } from '#money/bank/readings/resolve-lines.ts'
import { storedLines } from '#money/bank/readings/stored-lines.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen, noteShown } from '#money/bank/unseen.ts'
import { operatorOf } from '#money/invoices/parties.ts'
import { receiveUnclaimed } from '#money/ledger/suspense.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { addLines } from './add-lines.ts'
import { keptLines } from './kept-lines.ts'

type Input = {
  readonly filename: string
  readonly content: string
  readonly columns?: Columns | undefined
  readonly ask_columns?: boolean | undefined
}

type Imported = {
  readonly statement_id: number
  readonly repeated: boolean
  readonly read_otherwise: boolean
  readonly lines: number
  readonly imported: number
  readonly doubtful: number
}

/** The operator's own account. Throws `bank_account_missing`. */
async function ownIban(tx: Database): Promise<string> {
  const iban = cleanIban((await operatorOf(tx)).seller.iban ?? undefined)
  if (iban === null) throw refuse('bank_account_missing')
  return iban
}

const keyOf = (headings: readonly string[]): string => headings.join('\n')

type Headed = { readonly adminId: number; readonly headings: readonly string[] }

/**
 * The columns of a CSV with these headings, as the same person said before: another one could let the amount be read from the
 * column of the balance.
 */
async function keptColumns(tx: Database, { adminId, headings }: Headed): Promise<Columns | undefined> {
  const known = await tx
    .selectFrom('bank_csv_meanings')
    .select('columns')
    .where('admin_id', '=', adminId)
    .where('headings', '=', keyOf(headings))
    .executeTakeFirst()
  // Only columns that the contract accepted are kept.
  return known?.columns as Columns | undefined
}

async function keepColumns(tx: Database, { adminId, headings }: Headed, kept: Columns): Promise<void> {
  const columns = JSON.stringify(kept)
  await tx
    .insertInto('bank_csv_meanings')
    .values({ admin_id: adminId, headings: keyOf(headings), columns })
    .onConflict((conflict) => conflict.columns(['admin_id', 'headings']).doUpdateSet({ columns }))
    .execute()
}

/** Throws `bank_statement_imported` for a file that is known: read once more with other columns, its money would be there twice. */
async function assertNew(tx: Database, sha256: Buffer): Promise<void> {
  const known = await tx
    .selectFrom('bank_statements')
    .select('id')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (known) throw refuse('bank_statement_imported')
}

/** The only currency of a statement. Throws `statement_line_invalid` for a line in another one. */
function currencyOf({ lines }: Statement, base: string): string {
  const currency = lines[0]?.currency ?? base
  const other = lines.find((line) => line.currency !== currency)
  if (other) throw invalidLine(other.at, 'currency')
  return currency
}

type File = { readonly filename: string; readonly sha256: Buffer; readonly statement: Statement }

/** The row of a new statement. */
async function insertStatement({ tx, actor }: Context, { filename, sha256, statement }: File) {
  const days = statement.lines.map(({ day }) => day).sort()
  return tx
    .insertInto('bank_statements')
    .values({
      filename,
      sha256,
      format: statement.format,
      iban: statement.iban,
      currency: currencyOf(statement, (await operatorOf(tx)).currency),
      from_day: days[0] ?? null,
      to_day: days.at(-1) ?? null,
      lines: statement.lines.length,
      reading: statement.reading,
      balances: JSON.stringify(statement.parts),
      admin_id: actor.staff?.id ?? 0,
    })
    .returning(['id', 'iban', 'currency', 'admin_id'])
    .executeTakeFirstOrThrow()
}

/** Adds lines to a statement; the sum of the new ones goes to the suspense account. For a colleague's they are as of an import of one's own. */
async function add(
  { tx, actor }: Context,
  statement: Pick<RowOf<'bank_statements'>, 'id' | 'iban' | 'currency' | 'admin_id'>,
  resolved: readonly Resolved[],
): Promise<Pick<Imported, 'imported' | 'doubtful'>> {
  const { id, currency, admin_id } = statement
  const by = actor.staff?.id ?? null
  const { imported, doubtful, unclaimed } = await addLines(
    tx,
    statement,
    resolved,
    by === admin_id ? null : by,
  )
  const source = { type: 'bank_statement', id }
  const key = await actionKey(tx, `bank-statement:${id}`)
  if (Number(unclaimed) > 0) await receiveUnclaimed(tx, { key, currency, amount: unclaimed, source })
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  return { imported, doubtful }
}

/**
 * Stores a file. One that was imported before has the same statement, to which only what is not there any more is added, and only where
 * it is read in the same way: an import that was taken back since may have been the one that brought it. By the same file a colleague
 * may show transfers.
 */
async function store(context: Context, file: File): Promise<Imported> {
  const { tx, actor } = context
  const { sha256, statement } = file
  const known = await tx
    .selectFrom('bank_statements')
    .select(['id', 'iban', 'currency', 'reading', 'admin_id'])
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  const kept = known ? [] : await keptLines(tx, sha256, statement.lines)
  const resolved = await resolveLines(statement, storedLines(tx), kept)
  await noteShown(tx, actor.staff?.id ?? 0, resolved)
  const made = known ?? (await insertStatement(context, file))
  const isAlike = known?.reading === statement.reading && known.iban === statement.iban
  const missing = resolved.filter(({ is }) => is !== 'same')
  const again = isAlike ? missing : []
  const added = await add(context, made, known ? again : resolved)
  return {
    statement_id: made.id,
    repeated: known !== undefined,
    read_otherwise: known !== undefined && missing.length > again.length,
    lines: statement.lines.length,
    ...added,
  }
}

/** The staff action that imports a statement, all or nothing. Throws like `readStatement`, and `bank_account_missing`. */
export async function importStatement(
  context: Context,
  { input: { filename, content, columns: said, ask_columns: isAsked = false } }: { readonly input: Input },
): Promise<Imported> {
  const { tx, actor } = context
  const adminId = actor.staff?.id ?? 0
  const bytes = Buffer.from(content, 'base64')
  const sha256 = createHash('sha256').update(bytes).digest()
  if (isAsked) await assertNew(tx, sha256)
  let headings: readonly string[] = []
  const statement = await readStatement(bytes, await ownIban(tx), async (found) => {
    headings = found
    const columns = said ?? (isAsked ? undefined : await keptColumns(tx, { adminId, headings: found }))
    if (!columns) throw refuse('statement_columns_needed', {}, { meta: { columns: [...found] } })
    return columns
  })
  // Two imports at once would propose the same document twice.
  await holdImports(tx)
  if (said && headings.length > 0) await keepColumns(tx, { adminId, headings }, said)
  return store(context, { filename, sha256, statement })
}
