import { sql } from 'kysely'
import { isUnshown } from '#money/bank/by-hand.ts'
import type { StatementLine } from '#money/bank/files/statement.ts'
import type { Resolved } from '#money/bank/readings/answers.ts'
import { bankReference, ownName } from '#money/bank/references.ts'
import type { Database } from '#platform/db/pool.ts'

/** What staff typed may be some days from the day on which the bank booked it; later the same reference is another transfer. */
const nearDays = 7

/** SQL: the reference that a taken-back line `l` had; one of before the upgrade has its id added. */
const nameBefore = sql`regexp_replace(${bankReference}, ' / ' || l.id || '( / [0-9a-f-]{36})?$', '')`

const stateOf = { new: 'open', same: 'same', doubtful: 'doubtful' } as const

/** The rows of lines, with their ids: a doubtful one may name an earlier line of its own file. */
async function rowsOf(tx: Database, resolved: readonly Resolved[], stored: readonly Resolved[]) {
  const { rows: ids } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('bank_lines', 'id'))::bigint as id from generate_series(1, ${stored.length}::int)`.execute(
    tx,
  )
  const own = new Map(stored.map(({ line }, n) => [line, ids[n]?.id ?? 0]))
  const known = new Map(resolved.flatMap((one) => (one.is === 'same' ? [[one.line, one.of] as const] : [])))
  const rowOf = (line: StatementLine) => known.get(line) ?? own.get(line) ?? null
  return stored.map((one) => {
    const { batch, ...line } = one.line
    const of = one.is === 'new' ? null : one.of
    return {
      ...line,
      id: own.get(one.line),
      state: stateOf[one.is],
      of: of ?? (one.is === 'doubtful' && one.repeats ? rowOf(one.repeats) : null),
      batch: batch?.reference ?? null,
      entry: batch?.entry ?? null,
    }
  })
}

/** SQL: the lines to add, `n`. */
const added = (
  rows: readonly object[],
) => sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) n (id bigint, state text,
  of bigint, at int, part int, day date, amount numeric, currency text, payer text, "payerIban" text, text text,
  "isReversal" boolean, reference text, batch text, entry int)`

/** Locks the transfers of these references. One that a colleague is taking back is matched to no line. */
const holdTransfers = (tx: Database, lines: readonly Resolved[]) =>
  sql`select from payments where provider = 'bank' and bank_line_id is null
    and provider_ref = any(${lines.flatMap(({ line }) => line.reference ?? [])}::text[]) order by id for key share`.execute(
    tx,
  )

type Added = {
  readonly imported: number
  readonly doubtful: number
  readonly total: string
  readonly unclaimed: string
}

/**
 * Stores the lines of a file that are new, doubtful, or another reading of a stored one. A new one is matched at once to a
 * transfer that staff recorded by hand with the same reference, within seven days, and that no other line shows. A person who took
 * back a decision about a line, or said that it is other money, and then its import, has limits for money that may be the same; else
 * `limited` has them.
 */
export async function addLines(
  tx: Database,
  statement: { readonly id: number; readonly iban: string },
  resolved: readonly Resolved[],
  limited: number | null,
): Promise<Added> {
  const stored = resolved.filter((one) => one.is !== 'same' || !one.isAlike)
  await holdTransfers(tx, stored)
  const rows = await rowsOf(tx, resolved, stored)
  const { rows: sums } = await sql<Added>`
    with n as materialized (select * from ${added(rows)}
    ), shown as (
      select distinct on (p.id) p.id as payment, p.client_id as client, n.id as line
      from n join payments p on p.provider = 'bank' and p.provider_ref = n.reference and p.gross = n.amount
        and p.currency = n.currency and p.received_on between n.day - ${sql.lit(nearDays)} and n.day + ${sql.lit(nearDays)}
      where n.state = 'open' and ${isUnshown}
      order by p.id, n.id
    ), undone as (
      select n.id as line, (array_agg(l.undone_by order by l.id desc) filter (where l.undone_by is not null))[1] as undone_by,
        (array_agg(l.opened_by order by l.id desc) filter (where l.opened_by is not null))[1] as opened_by
      from n join bank_lines l on l.iban = ${statement.iban} and l.currency = n.currency::char(3)
        and (l.amount = n.amount and abs(l.booked_on - n.day) < ${sql.lit(nearDays)} or ${nameBefore} = n.reference)
      where l.state = 'taken_back' and (l.undone_by is not null or l.opened_by is not null)
      group by n.id
    ), added as (
      insert into bank_lines (id, statement_id, iban, reference, bank_reference, batch_reference, batch_entry, part, file_line,
          booked_on, amount, currency, payer_name, payer_iban, text, is_reversal, state, same_as, client_id, payment_id, undone_by,
          opened_by)
          overriding system value
        select n.id, ${statement.id}, ${statement.iban}, ${ownName}, n.reference, n.batch, n.entry, n.part, n.at, n.day, n.amount,
          n.currency, n.payer, n."payerIban", n.text, n."isReversal",
          case when shown.line is null then n.state else 'matched' end, n.of, shown.client, shown.payment,
          coalesce(undone.undone_by, ${limited}::bigint), undone.opened_by
        from n left join shown on shown.line = n.id left join undone on undone.line = n.id
        order by n.id
      returning amount, state
    )
    select count(*) filter (where state in ('open', 'matched'))::int as imported,
      count(*) filter (where state = 'doubtful')::int as doubtful,
      coalesce(sum(amount) filter (where state in ('open', 'matched')), 0) as total,
      coalesce(sum(amount) filter (where state = 'open'), 0) as unclaimed from added`.execute(tx)
  const [sum] = sums
  if (!sum) throw new Error('An aggregate returned no row.')
  return sum
}
