import { sql } from 'kysely'
import type { Statement } from '#money/bank/files/statement.ts'
import { bankReference } from '#money/bank/references.ts'
import type { Database } from '#platform/db/pool.ts'
import { referencesOf } from './compare.ts'
import { type Facts, type StoredLine, withWords } from './facts.ts'
import { daysAround, sumOf } from './pool.ts'

type Row = Omit<StoredLine, 'payerWords' | 'textWords' | 'batch' | 'balances'> & {
  readonly batchReference: string | null
  readonly batchEntry: number | null
  readonly opening: string | null
  readonly closing: string | null
}

const factOf = ({ day, amount, payer, payerIban, text }: Facts): string =>
  JSON.stringify({ day, amount, payer, payerIban, text })

/** What stored lines are looked for by: the lines of a file, and the sums of its batches, which may be one line elsewhere. */
function wantedOf({ lines }: Statement): readonly string[] {
  const batches = Map.groupBy(
    lines.filter(({ batch }) => batch !== null),
    ({ batch }) => batch?.entry,
  )
  const totals = [...batches.values()].flatMap((payments) =>
    daysAround(payments[0]?.day ?? '').map((day) =>
      JSON.stringify({ day, amount: sumOf(payments), payer: null, payerIban: null, text: '' }),
    ),
  )
  return [...new Set([...lines.map(factOf), ...totals])]
}

/**
 * The lines of earlier files that may be those of this one, oldest first: of the same days and amounts, of nearby days where they share
 * something with a line, of the same references, and of batches of the same days.
 */
export async function storedLines(tx: Database, statement: Statement): Promise<StoredLine[]> {
  const { lines } = statement
  const references = [...new Set(lines.flatMap((line) => referencesOf(line)))]
  const days = [...new Set(lines.flatMap(({ day }) => daysAround(day)))]
  const { rows } = await sql<Row>`
    with n as materialized (
      select * from jsonb_to_recordset(${`[${wantedOf(statement).join()}]`}::jsonb) n (day date, amount numeric(14,2), payer text, "payerIban" text, text text)
    ), accounts as materialized (select distinct iban from bank_statements
    ), found as (
      select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and l.booked_on = any(${days}::date[])
        where (l.booked_on, l.amount) in (select day, amount from n)
          or l.batch_entry is not null
          or (l.amount, l.payer_iban) in (select amount, "payerIban" from n where "payerIban" is not null)
          or (l.amount, l.payer_name) in (select amount, payer from n where payer is not null)
          or (l.amount, l.text) in (select amount, text from n where text <> '')
      union select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and coalesce(l.bank_reference, l.reference) = any(${references}::text[])
      union select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and l.batch_reference = any(${references}::text[])
    )
    select l.id as row, case when l.state = 'same' then l.same_as else l.id end as money, l.statement_id as statement, l.iban,
      s.reading, s.taken_back_at is not null as "isTakenBack",
      case when s.taken_back_at is not null and not exists (select from bank_lines r where r.same_as = l.id and r.state = 'same')
        then s.created_at::date end as "misreadUntil", l.booked_on as day, l.amount, l.currency, l.payer_name as payer,
      l.payer_iban as "payerIban", l.text, ${bankReference} as reference, l.batch_reference as "batchReference",
      l.batch_entry as "batchEntry", s.balances -> l.part ->> 'opening' as opening, s.balances -> l.part ->> 'closing' as closing
    from found join bank_lines l using (id) join bank_statements s on s.id = l.statement_id
    order by l.id`.execute(tx)
  return rows.map(({ batchReference, batchEntry, opening, closing, ...fact }) =>
    withWords({
      ...fact,
      batch: batchEntry === null ? null : { reference: batchReference, entry: batchEntry },
      balances: { opening, closing },
    }),
  )
}
