import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import type { NamedLine } from './lines.ts'

/** A line that stayed when the import of its file was taken back. */
type Kept = Pick<NamedLine, 'id' | 'day' | 'amount' | 'currency' | 'payer' | 'payerIban' | 'text'> & {
  readonly row: number
}

type Facts = Omit<Kept, 'row'>

/** The lines that stayed of an import of the same bytes. */
async function keptOf(tx: Database, sha256: Buffer): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select l.id as row, l.reference as id, l.booked_on as day, l.amount, l.currency, l.payer_name as payer,
      l.payer_iban as "payerIban", l.text
    from bank_lines l join bank_statements s on s.id = l.statement_id
    where s.taken_back_at is not null and s.sha256 = sha256(${sha256} || convert_to(s.id::text, 'UTF8'))
      and l.state <> 'taken_back'
    order by l.id for update of l`.execute(tx)
  return rows
}

/** The lines of a file that no statement had. */
async function unknown(tx: Database, iban: string, lines: readonly NamedLine[]): Promise<NamedLine[]> {
  const ids = lines.map(({ id }) => id)
  const { rows } = await sql<{ reference: string }>`select reference from bank_lines
    where iban = ${iban} and reference = any(${ids}::text[])`.execute(tx)
  const known = new Set(rows.map(({ reference }) => reference))
  return lines.filter(({ id }) => !known.has(id))
}

/** What may still be the same in both readings of a line, the surest first: any of these columns may have been the wrong one. */
const likenesses: readonly ((line: Facts) => readonly unknown[])[] = [
  ({ payer, payerIban, text, day }) => [payer, payerIban, text, day],
  ({ payer, payerIban, text }) => [payer, payerIban, text],
  ({ text }) => [text],
  ({ payer, payerIban }) => [payer, payerIban],
  ({ day }) => [day],
  () => [],
]

type Pair = { readonly row: number; readonly line: NamedLine }

/** Pairs lines of equal amount whose keys are equal, each once, and takes them out of both sets. */
function pairBy(key: (line: Facts) => readonly unknown[], kept: Set<Kept>, lines: Set<NamedLine>): Pair[] {
  const keyOf = (line: Facts) => JSON.stringify([line.amount, line.currency, ...key(line)])
  const waiting = Map.groupBy(lines, keyOf)
  return [...kept].flatMap((one) => {
    const line = waiting.get(keyOf(one))?.shift()
    if (line === undefined) return []
    kept.delete(one)
    lines.delete(line)
    return [{ row: one.row, line }]
  })
}

type Reading = { readonly iban: string; readonly sha256: Buffer; readonly adminId: number }

/**
 * Keeps the old reading of lines that get another name as lines that were taken back. Their old name is free, and whoever freed it
 * has limits for it (`addLines`).
 */
async function keepOldNames(tx: Database, pairs: readonly Pair[], adminId: number): Promise<void> {
  const names = pairs.map(({ row, line }) => ({ row, id: line.id }))
  await sql`
    insert into bank_lines (id, statement_id, iban, reference, booked_on, amount, currency, payer_name, payer_iban, text,
        is_reversal, state, undone_by) overriding system value
      select l.next, l.statement_id, l.iban, l.reference || ' / ' || l.next, l.booked_on, l.amount, l.currency, l.payer_name,
        l.payer_iban, l.text, l.is_reversal, 'taken_back', ${adminId}
      from (select nextval(pg_get_serial_sequence('bank_lines', 'id')) as next, b.statement_id, b.iban, b.reference, b.booked_on,
          b.amount, b.currency, b.payer_name, b.payer_iban, b.text, b.is_reversal
        from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) n ("row" bigint, id text)
          join bank_lines b on b.id = n."row" and b.reference <> n.id) l`.execute(tx)
}

/**
 * Gives the lines that stayed when the import of this file was taken back what its new reading says, except the amount, which
 * somebody decided about: under their old names the file would bring their money once more.
 */
export async function rereadKept(
  tx: Database,
  { iban, sha256, adminId }: Reading,
  named: readonly NamedLine[],
): Promise<void> {
  const kept = new Set(await keptOf(tx, sha256))
  if (kept.size === 0) return
  const pairs = pairBy(({ id }) => [id], kept, new Set(named))
  const free = new Set(await unknown(tx, iban, named))
  for (const likeness of likenesses) pairs.push(...pairBy(likeness, kept, free))
  await keepOldNames(tx, pairs, adminId)
  const read = pairs.map(({ row, line }) => ({ ...line, row }))
  await sql`update bank_lines l set reference = n.id, booked_on = n.day, payer_name = n.payer, payer_iban = n."payerIban",
      text = n.text
    from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) n ("row" bigint, id text, day date, payer text, "payerIban" text,
      text text)
    where l.id = n."row"`.execute(tx)
}
