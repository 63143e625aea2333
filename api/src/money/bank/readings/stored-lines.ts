import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StatementLine } from '#money/bank/files/statement.ts'
import { bankReference } from '#money/bank/references.ts'
import type { Database } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'
import { referencesOf } from './compare.ts'
import { type StoredLine, withWords } from './facts.ts'
import { daysAround, sumOf } from './pool.ts'
import type { Load } from './resolve-lines.ts'

type Row = Omit<StoredLine, 'payerWords' | 'textWords' | 'words' | 'batch' | 'balances'> & {
  readonly batchReference: string | null
  readonly batchEntry: number | null
  readonly opening: string | null
  readonly closing: string | null
}

type Wanted = { readonly day: string; readonly amount: string }

/** Days and amounts by which lines are looked for: those of lines, and around them also the sums of batches, which may be one line elsewhere. */
function wantedOf(lines: readonly StatementLine[], where: Parameters<Load>[1]): readonly Wanted[] {
  if (where === 'on their days') return unique(lines)
  const batches = Map.groupBy(
    lines.filter(({ batch }) => batch !== null),
    ({ batch }) => batch?.entry,
  )
  const totals = [...batches.values()].map((payments) => ({
    day: payments[0]?.day ?? '',
    amount: sumOf(payments),
  }))
  return unique(
    unique([...lines, ...totals]).flatMap(({ day, amount }) =>
      daysAround(day).map((one) => ({ day: one, amount })),
    ),
  )
}

const unique = (wanted: readonly Wanted[]): Wanted[] => [
  ...new Map(wanted.map(({ day, amount }) => [`${day} ${amount}`, { day, amount }])).values(),
]

// Among a million lines a file of a year takes some seconds.
const longest = '60s'

/**
 * Finds the lines of earlier files that may be those of some lines, oldest first: of their days and amounts, or around them of days
 * nearby and of their references; and the batches of these days.
 */
export const storedLines =
  (tx: Database): Load =>
  async (lines, where) => {
    await setForTransaction(tx, 'statement_timeout', longest)
    const isAround = where === 'around'
    const references = isAround ? [...new Set(lines.flatMap((line) => referencesOf(line)))] : []
    const wanted = wantedOf(lines, where)
    const days = [...new Set(wanted.map(({ day }) => day))]
    const { rows } = await sql<Row>`
    with n as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) n (day date, amount numeric(14,2))
    ), accounts as materialized (select distinct iban from bank_statements
    ), found as (
      select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and l.booked_on = any(${days}::date[])
        where (l.booked_on, l.amount) in (select day, amount from n)
          or l.batch_entry is not null
      union select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and coalesce(l.bank_reference, l.reference) = any(${references}::text[])
      union select l.id from accounts a join bank_lines l on l.iban = a.iban and l.state <> 'taken_back'
          and l.batch_reference = any(${references}::text[])
    )
    select l.id as row, case when l.state = 'same' and l.amount = o.amount then o.id else l.id end as money,
      case when l.state = 'doubtful' or l.state = 'same' and l.amount <> o.amount
        then nullif(o.id, l.id) end as "doubtOf", s.from_day = s.to_day as "isOneDay", l.statement_id as statement, l.iban,
      s.reading, s.taken_back_at is not null as "isTakenBack",
      case when s.taken_back_at is not null and not exists (select from bank_lines r where r.same_as = l.id and r.state = 'same')
        then s.created_at::date end as "misreadUntil", l.booked_on as day, l.amount, l.currency, l.payer_name as payer,
      l.payer_iban as "payerIban", l.text, ${bankReference} as reference, l.batch_reference as "batchReference",
      l.batch_entry as "batchEntry", s.balances -> l.part ->> 'opening' as opening, s.balances -> l.part ->> 'closing' as closing
    from found join bank_lines l using (id) join bank_statements s on s.id = l.statement_id left join bank_lines o on o.id = bank_line_root(case when l.state in ('same', 'doubtful') then l.same_as end)
    order by l.id`.execute(tx)
    return inTurns(rows, ({ batchReference, batchEntry, opening, closing, ...fact }) =>
      withWords({
        ...fact,
        batch: batchEntry === null ? null : { reference: batchReference, entry: batchEntry },
        balances: { opening, closing },
      }),
    )
  }

const rowsAtOnce = 2000

/** Maps many rows; other requests are answered meanwhile. */
async function inTurns<T, R>(rows: readonly T[], map: (row: T) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const [at, row] of rows.entries()) {
    if (at % rowsAtOnce === 0) await setImmediate()
    mapped.push(map(row))
  }
  return mapped
}
