import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { nameBefore } from './free-names.ts'
import type { NamedLine } from './names/line-names.ts'
import { isMisread } from './names/stored-lines.ts'

/** What staff typed may be some days from the day on which the bank booked it; later the same reference is another transfer. */
const nearDays = 7

/**
 * SQL: whether the day `n.day` may be that of a matched line `l`, which cannot be changed any more: a few days off, day and month read
 * for each other, or of an import that was taken back because it was read wrongly. Weeks apart it is other money.
 */
const mayBeItsDay = sql<boolean>`(l.state = 'matched' and (${isMisread} and n.day <= s.created_at::date
  or abs(l.booked_on - n.day) < ${sql.lit(nearDays)}
  or (extract(year from l.booked_on), extract(month from l.booked_on), extract(day from l.booked_on))
    = (extract(year from n.day), extract(day from n.day), extract(month from n.day))))`

/** Throws `statement_line_conflict` for a reference that an earlier statement had for something else. */
async function assertSameFacts(tx: Database, iban: string, lines: readonly NamedLine[]): Promise<void> {
  const { rows } = await sql<{ at: number; reference: string }>`
    select n.at, n.id as reference
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) n (at int, id text, day date, amount numeric, currency text)
    join bank_lines l on l.iban = ${iban} and l.reference = n.id join bank_statements s on s.id = l.statement_id
    where (l.amount, l.currency) is distinct from (n.amount, n.currency::char(3))
      or l.booked_on is distinct from n.day and not ${mayBeItsDay}
    order by n.at limit 1`.execute(tx)
  const [wrong] = rows
  if (wrong) throw refuse('statement_line_conflict', { line: wrong.at, reference: wrong.reference })
}

/** Locks the transfers of these references. One that a colleague is taking back is matched to no line. */
const holdTransfers = (tx: Database, lines: readonly NamedLine[]) =>
  sql`select from payments where provider = 'bank' and bank_line_id is null
    and provider_ref = any(${lines.map(({ id }) => id)}::text[]) order by id for key share`.execute(tx)

type Added = { readonly imported: number; readonly total: string; readonly unclaimed: string }

/**
 * Adds the lines that earlier statements did not have; a concurrent import of the same lines is awaited. A line is matched at once
 * to a transfer that staff recorded by hand with the same reference, within seven days, and that no other line shows. A person who
 * took back a decision about a line, and then its import, has limits for it as before.
 */
export async function addLines(
  tx: Database,
  statement: { readonly id: number; readonly iban: string },
  lines: readonly NamedLine[],
): Promise<Added> {
  await assertSameFacts(tx, statement.iban, lines)
  await holdTransfers(tx, lines)
  const { rows } = await sql<Added>`
    with before as (
      select distinct on (name) name, undone_by
      from (select l.id, l.undone_by, unnest(array[${nameBefore}, l.bank_reference]) as name from bank_lines l
        where l.state = 'taken_back' and l.undone_by is not null and l.iban = ${statement.iban}) b
      order by name, id desc
    ), added as (
      insert into bank_lines as l (statement_id, iban, reference, booked_on, amount, currency, payer_name, payer_iban, text,
          is_reversal, state, client_id, payment_id, undone_by, file_line, bank_reference)
        select ${statement.id}, ${statement.iban}, n.id, n.day, n.amount, n.currency, n.payer, n."payerIban", n.text,
          n."isReversal", case when p.id is null then 'open' else 'matched' end, p.client_id, p.id,
          coalesce(b.undone_by, r.undone_by), n.at, nullif(n.reference, n.id)
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) n (at int, id text, day date, amount numeric, currency text,
          payer text, "payerIban" text, text text, "isReversal" boolean, reference text)
        left join payments p on p.provider = 'bank' and p.provider_ref = n.id and p.gross = n.amount
          and p.currency = n.currency and p.bank_line_id is null and p.received_on between n.day - ${sql.lit(nearDays)} and n.day + ${sql.lit(nearDays)}
          and not exists (select from bank_lines o where o.payment_id = p.id)
        left join before b on b.name = n.id
        left join before r on r.name = n.reference
        order by n.at
      on conflict (iban, reference) do nothing
      returning l.amount, l.state
    )
    select count(*)::int as imported, coalesce(sum(amount), 0) as total,
      coalesce(sum(amount) filter (where state = 'open'), 0) as unclaimed from added`.execute(tx)
  const [added] = rows
  if (!added) throw new Error('An aggregate returned no row.')
  return added
}
