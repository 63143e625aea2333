import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { freedLineName } from './free-names.ts'
import type { NamedLine } from './names/line-names.ts'

/** A line that stayed when the import of its file was taken back. */
export type Kept = {
  readonly row: number
  readonly name: string
  /** The bank's reference; null for one that a fingerprint names. */
  readonly reference: string | null
  /** The line of the file; null for one of before this was kept. */
  readonly at: number | null
  readonly amount: string
  readonly currency: string
}

/** The lines that stayed of an import of the same bytes. */
export async function keptOf(tx: Database, sha256: Buffer): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select l.id as row, l.reference as name, l.file_line as at, l.amount, l.currency,
      coalesce(l.bank_reference, case when l.reference not like '#%' then l.reference end) as reference
    from bank_lines l join bank_statements s on s.id = l.statement_id
    where s.taken_back_at is not null and s.sha256 = sha256(${sha256} || convert_to(s.id::text, 'UTF8'))
      and l.state <> 'taken_back'
    order by l.id for update of l`.execute(tx)
  return rows
}

/** The rows that get the names of the new reading, so that their old ones say nothing about it. */
export const foundByPlace = (kept: readonly Kept[]): number[] =>
  kept.filter(({ at }) => at !== null).map(({ row }) => row)

type Pair = Pick<Kept, 'row' | 'name' | 'reference'> & { readonly line: NamedLine }

/** The line of a place in the file: by its name where a file of one line of text has several, as formats with one reading may be. */
function lineAt(lines: readonly NamedLine[], name: string): NamedLine | undefined {
  return lines.length > 1 ? lines.find(({ id }) => id === name) : lines[0]
}

/**
 * The new reading of each line that stayed: that of the same place in the file, since somebody decided about the money of this line
 * and of no other. Throws `statement_line_kept` where the reading has none, and `statement_line_conflict` for another amount.
 */
function pairsOf(kept: readonly Kept[], lines: readonly NamedLine[]): Pair[] {
  const byPlace = Map.groupBy(lines, ({ at }) => at)
  const byName = new Map(lines.map((line) => [line.id, line]))
  return kept.map(({ row, name, reference, at, amount, currency }) => {
    const line = at === null ? byName.get(name) : lineAt(byPlace.get(at) ?? [], name)
    if (!line) throw refuse('statement_line_kept', { reference: name })
    if (line.amount !== amount || line.currency !== currency)
      throw refuse('statement_line_conflict', { line: line.at, reference: name })
    return { row, name, reference, line }
  })
}

/** Throws `statement_line_conflict` where another line of the file has the name that one which stayed keeps: it would add nothing. */
function assertNamesAreFree(lines: readonly NamedLine[], left: readonly Pair[]): void {
  const names = new Set(left.map(({ name }) => name))
  const wrong = lines.find(({ id }) => names.has(id))
  if (wrong) throw refuse('statement_line_conflict', { line: wrong.at, reference: wrong.id })
}

type Reading = { readonly iban: string; readonly kept: readonly Kept[]; readonly adminId: number }

/**
 * Stores the old reading of each line that gets another one, as a line that was taken back. The old reference may be imported again,
 * and the person who imports this file now has limits for its money (`addLines`).
 */
async function keepOldReadings(tx: Database, pairs: readonly Pair[], adminId: number): Promise<void> {
  const read = pairs.map(({ row, line }) => ({ ...line, row }))
  await sql`
    insert into bank_lines (id, statement_id, iban, reference, booked_on, amount, currency, payer_name, payer_iban, text,
        is_reversal, state, undone_by, bank_reference) overriding system value
      select l.next, l.statement_id, l.iban, ${freedLineName(sql`l.next`)}, l.booked_on, l.amount, l.currency, l.payer_name,
        l.payer_iban, l.text, l.is_reversal, 'taken_back', ${adminId}, l.bank_reference
      from (select nextval(pg_get_serial_sequence('bank_lines', 'id')) as next, b.statement_id, b.iban, b.reference, b.booked_on,
          b.amount, b.currency, b.payer_name, b.payer_iban, b.text, b.is_reversal, b.bank_reference
        from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) n ("row" bigint, id text, day date, payer text, text text)
          join bank_lines b on b.id = n."row"
            and (b.reference, b.booked_on, b.payer_name, b.text) is distinct from (n.id, n.day, n.payer, n.text)) l`.execute(
    tx,
  )
}

type Holder = { readonly row: number | null; readonly name: string }

/** The pairs whose new name nobody keeps: neither another row, nor one of these that is left out for its own new name. */
function freeOf(pairs: readonly Pair[], holders: readonly Holder[]): Pair[] {
  const names = new Map(pairs.map(({ row, name }) => [row, name]))
  const wanting = new Map(pairs.map((pair) => [pair.line.id, pair]))
  const moving = new Map<number, string>()
  const taken: string[] = []
  for (const { row, name } of holders)
    if (row !== null && names.get(row) === name) moving.set(row, name)
    else taken.push(name)
  const left = new Set<Pair>()
  // Each pair that is left out takes the name that it keeps from another one.
  for (const name of taken) {
    const pair = wanting.get(name)
    if (!pair || left.has(pair)) continue
    left.add(pair)
    const own = moving.get(pair.row)
    if (own !== undefined) taken.push(own)
  }
  return pairs.filter((pair) => !left.has(pair))
}

const newNames = (pairs: readonly Pair[]) => sql`any(${pairs.map(({ line }) => line.id)}::text[])`

/** The pairs whose new name no other line has; where one has it, another file brought the same money under its right name. */
async function freePairs(tx: Database, iban: string, pairs: readonly Pair[]): Promise<Pair[]> {
  const { rows } = await sql<Holder>`select id as row, reference as name from bank_lines
    where iban = ${iban} and reference = ${newNames(pairs)}`.execute(tx)
  return freeOf(pairs, rows)
}

/** A payment that was recorded from a line has its name, by which a second one is refused; one that another payment has is left. */
async function renamePayments(tx: Database, pairs: readonly Pair[]): Promise<void> {
  const { rows } = await sql<Holder>`select bank_line_id as row, provider_ref as name from payments
    where provider = 'bank' and provider_ref = ${newNames(pairs)}`.execute(tx)
  const aside = randomUUID()
  const names = JSON.stringify(freeOf(pairs, rows).map(({ row, name, line }) => ({ row, name, id: line.id })))
  // Two of them may change their names with each other.
  for (const [before, after] of [
    [sql`n.name`, sql`${aside} || ' ' || n."row"`],
    [sql`${aside} || ' ' || n."row"`, sql`n.id`],
  ])
    await sql`update payments p set provider_ref = ${after}
      from jsonb_to_recordset(${names}::jsonb) n ("row" bigint, name text, id text)
      where p.provider = 'bank' and p.bank_line_id = n."row" and p.provider_ref = ${before}`.execute(tx)
}

/**
 * Gives the lines that stayed when the import of this file was taken back what its new reading says, except the amount, which
 * somebody decided about: under their old names the file would bring their money once more. Gives the other lines of the file. A
 * reference that an earlier reading had is kept where this one has none, since other files have it. Throws like `pairsOf`.
 */
export async function rereadKept(
  tx: Database,
  { iban, kept, adminId }: Reading,
  named: readonly NamedLine[],
): Promise<readonly NamedLine[]> {
  if (kept.length === 0) return named
  const pairs = pairsOf(kept, named)
  const free = await freePairs(tx, iban, pairs)
  await keepOldReadings(tx, pairs, adminId)
  await renamePayments(tx, free)
  // Two lines may exchange their references, so each gets a random one first.
  await sql`update bank_lines set reference = ${randomUUID()} || ' ' || id where id = any(${free.map(({ row }) => row)}::bigint[])`.execute(
    tx,
  )
  const renamed = new Set(free)
  const read = pairs.map((pair) => ({
    ...pair.line,
    row: pair.row,
    id: renamed.has(pair) ? pair.line.id : null,
    reference: pair.line.reference ?? pair.reference,
  }))
  await sql`update bank_lines l set iban = case when n.id is null then l.iban else ${iban} end,
      reference = coalesce(n.id, l.reference), bank_reference = nullif(n.reference, coalesce(n.id, l.reference)),
      booked_on = n.day, payer_name = n.payer, payer_iban = n."payerIban", text = n.text
    from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) n ("row" bigint, id text, reference text, day date, payer text,
      "payerIban" text, text text)
    where l.id = n."row"`.execute(tx)
  const known = new Set(pairs.map(({ line }) => line))
  const rest = named.filter((line) => !known.has(line))
  assertNamesAreFree(
    rest,
    pairs.filter((pair) => !renamed.has(pair)),
  )
  return rest
}
