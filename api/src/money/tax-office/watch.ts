import { sql } from 'kysely'
import { alertStaff, resolveAlert, resolveOthers } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { officeRow, watchAccess } from './access.ts'
import { isUnanswered, isUncorrected, mostNamed, officeCountry, unsendable } from './collect.ts'
import { decidableDays } from './decide.ts'
import { pruneCalls } from './limits.ts'
import type { TaxOffice } from './tax-office.ts'

/** Working days before the deadline at which staff are alerted, and alerted again. */
const [soon, now] = [2, 1]
const about = 'e-invoices'

type Numbered = { readonly numbers: readonly string[]; readonly documents: number }

async function numbered(db: Database, which: ReturnType<typeof sql<boolean>>): Promise<Numbered> {
  const { rows } = await sql<Numbered>`select count(*)::int as documents,
      coalesce((array_agg(i.full_number order by e.due_on, e.id))[1:${mostNamed}], '{}') as numbers
    from e_invoices e join tax_offices o on o.environment = e.environment and o.in_use
      join invoices i on i.id = e.invoice_id
    where ${which}`.execute(db)
  return rows[0] ?? { numbers: [], documents: 0 }
}

/** One alert for all documents of a kind, which ends when there are none. */
async function alertOf(db: Database, kind: string, { documents, numbers }: Numbered): Promise<void> {
  if (documents === 0) await resolveAlert(db, about, kind)
  else await alertStaff(db, about, kind, { documents, numbers })
}

const dueWithin = (days: number) => sql<boolean>`o.is_on and ${isUnanswered(sql`e.state`)}
  and working_days_until(${officeCountry}, operator_today(), e.due_on) <= ${days}::int`

const tooLarge = { found_en: 'Its file is larger than 10 MB.', found_ro: 'Fișierul depășește 10 MB.' }

/** A document that is rejected, or too large to be sent, until it is made again or corrected by a credit note. */
async function alertRejected(db: Database): Promise<void> {
  const { rows } = await sql<{ full_number: string; said: string | null; large: boolean }>`select
      i.full_number, e.said, e.problem is not distinct from 'too_large' as large
    from e_invoices e join tax_offices o on o.environment = e.environment and o.in_use
      join invoices i on i.id = e.invoice_id
    where e.state = 'rejected' and ${isUncorrected} order by e.id`.execute(db)
  for (const { full_number, said, large } of rows)
    await alertStaff(db, `document ${full_number}`, 'einvoice_rejected', large ? tooLarge : { failure: said })
  const open = rows.map(({ full_number }) => `document ${full_number}`)
  await resolveOthers(db, 'einvoice_rejected', open)
}

/** Alerts staff of what a person has to do about electronic invoices, and removes old counts of calls. */
export async function watchOffice(db: Database, office: TaxOffice, at: Date): Promise<void> {
  await watchAccess(db, await officeRow(db, office), at)
  await alertOf(db, 'einvoice_due_now', await numbered(db, dueWithin(now)))
  const onlySoon = sql<boolean>`${dueWithin(soon)} and not (${dueWithin(now)})`
  await alertOf(db, 'einvoice_due_soon', await numbered(db, onlySoon))
  const undecided = sql<boolean>`e.state = 'unknown' and e.begun_at < now() - make_interval(days => ${decidableDays})`
  await alertOf(db, 'einvoice_unknown', await numbered(db, undecided))
  const refused = sql<boolean>`e.state = 'waiting' and e.problem in ('refused', 'file')`
  await alertOf(db, 'einvoice_refused', await numbered(db, refused))
  await alertOf(db, 'einvoice_missing', await unsendable(db))
  await alertRejected(db)
  await pruneCalls(db)
}
