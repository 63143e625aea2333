import Big from 'big.js'
import { sql } from 'kysely'
import { type Advance, advanceDraft, advanceOf, billedAs, treatmentOf } from '#money/invoices/invoices.ts'
import { closedSeries, type Draft, draftRow, lineRows } from '#money/invoices/issue-document.ts'
import { type Operator, operatorOf } from '#money/invoices/parties.ts'
import { type FxRate, fxRate } from '#money/invoices/rates/fx.ts'
import { assertStillBelow, type TaxedAtHome } from '#money/invoices/vat/threshold.ts'
import {
  plainVatNumber,
  proofsOf,
  ruleVatBy,
  splitGross,
  type VatBasis,
  vatBasis,
  withSold,
} from '#money/invoices/vat/vat.ts'
import { moneyIn } from '#notifications/letters/words.ts'
import type { Database } from '#platform/db/pool.ts'
import type { PlainLine } from './plain-lines.ts'

/** The invoice of a line's advance. */
export type IssuedAdvance = {
  readonly line: PlainLine
  readonly advance: Advance
  readonly invoiceId: number
}

/** The advance of each line, as `advanceFor` calculates one. Throws `documents_need_…`. */
async function advancesOf(
  tx: Database,
  operator: Operator,
  lines: readonly PlainLine[],
  rates: ReturnType<typeof rateReader>,
) {
  const bases = basisReader(tx, operator)
  const proofs = await proofsOf(
    tx,
    lines.map(({ client_id }) => client_id),
  )
  const advances = new Map<number, Advance>()
  for (const line of byDay(lines)) {
    const billed = billedAs(line)
    const { buyer } = billed
    const { amount, currency, booked_on: taxPoint } = line
    const proof = proofs(line.client_id, plainVatNumber(buyer.vat_number, buyer.country))
    const fx = (await rates(currency, taxPoint))?.rate
    const netAt = (rate: string) => splitGross(new Big(amount), rate, currency).net
    const sold = { currency, netAt, quoted: treatmentOf(line.vat_treatment) }
    const known = { basis: await bases.on(taxPoint), proof, fx }
    const ruling = ruleVatBy(known, { operator, buyer, on: taxPoint, sold })
    const advance = advanceOf({ operator, billed, ruling, taxPoint }, { gross: amount })
    if (['origin', 'destination'].includes(ruling.decision.treatment))
      bases.add(taxPoint, advance.net.times(fx ?? 1))
    advances.set(line.id, advance)
  }
  return lines.flatMap((line) => {
    const advance = advances.get(line.id)
    return advance ? [{ line, advance }] : []
  })
}

/** The lines by their days: a bank may list the newest first, and the threshold is exceeded by the first sale that comes to it. */
const byDay = (lines: readonly PlainLine[]): PlainLine[] =>
  lines.toSorted((a, b) => a.booked_on.localeCompare(b.booked_on) || a.id - b.id)

/** The facts of each day with what was sold to consumers abroad before in the same batch, which no document has yet. */
function basisReader(tx: Database, operator: Operator) {
  const read = new Map<string, VatBasis>()
  const sold = new Map<string, Big>()
  const sumOf = (counts: (day: string) => boolean) =>
    [...sold].reduce((sum, [day, net]) => (counts(day) ? sum.plus(net) : sum), new Big(0))
  return {
    on: async (day: string): Promise<VatBasis> => {
      const basis = read.get(day) ?? (await vatBasis(tx, operator, day))
      read.set(day, basis)
      const year = Number(day.slice(0, 4))
      return withSold(basis, {
        now: sumOf((other) => Number(other.slice(0, 4)) === year && other <= day),
        before: sumOf((other) => Number(other.slice(0, 4)) === year - 1),
      })
    },
    add: (day: string, net: Big) => sold.set(day, net.plus(sold.get(day) ?? 0)),
  }
}

/** Reads each exchange rate once. */
function rateReader(tx: Database, { currency }: Operator) {
  const known = new Map<string, Promise<FxRate | null>>()
  return (base: string, on: string): Promise<FxRate | null> => {
    const key = `${base} ${on}`
    const found = known.get(key) ?? fxRate(tx, base, currency, on)
    known.set(key, found)
    return found
  }
}

/** Writes the invoices without their numbers. Throws `documents_need_…`. */
export async function draftAdvances(tx: Database, lines: readonly PlainLine[]): Promise<IssuedAdvance[]> {
  const operator = await operatorOf(tx)
  const rates = rateReader(tx, operator)
  const drafts: (Omit<IssuedAdvance, 'invoiceId'> & { draft: Draft })[] = []
  for (const { line, advance } of await advancesOf(tx, operator, lines, rates)) {
    const content = advanceDraft(line.client_id, advance)
    const fx = await rates(line.currency, line.booked_on)
    const draft: Draft = {
      ...content,
      kind: 'fiscal',
      reason: 'advance',
      status: 'paid',
      proformaId: line.proforma_id,
      fx,
    }
    drafts.push({ line, advance, draft })
  }
  const rows = await Promise.all(drafts.map(({ draft }) => draftRow(tx, draft, draft.groups ?? [])))
  const made = await tx.insertInto('invoices').values(rows).returning(['id', 'proforma_id']).execute()
  const ids = new Map(made.map(({ id, proforma_id }) => [proforma_id, id]))
  const issued = drafts.map((one) => ({ ...one, invoiceId: ids.get(one.line.proforma_id) ?? 0 }))
  const texts = issued.flatMap(({ invoiceId, draft }) => lineRows(invoiceId, draft))
  await tx.insertInto('invoice_lines').values(texts).execute()
  return issued
}

/**
 * The last sale of each day that is taxed at home, which has the earlier ones of the batch in its sum: they have no numbers yet when
 * the sums are read again.
 */
function lastAtHome(issued: readonly IssuedAdvance[]): TaxedAtHome[] {
  const byDays = new Map<string, TaxedAtHome>()
  for (const { advance } of issued) {
    const { atHome } = advance.ruling
    const last = atHome && byDays.get(atHome.on)
    if (atHome && (last === undefined || atHome.upTo.gt(last.upTo))) byDays.set(atHome.on, atHome)
  }
  return [...byDays.values()]
}

/** Assigns the numbers, in the order of the lines. The series is locked until the commit, so do this last. */
export async function numberAdvances(tx: Database, issued: readonly IssuedAdvance[]): Promise<void> {
  const [first] = issued
  if (!first) return
  await assertStillBelow(tx, first.advance.operator, lastAtHome(issued))
  const ids = issued.map(({ invoiceId }) => invoiceId)
  const { rows } = await sql<{ id: number; number: string }>`
    select x.id, invoice_issue(x.id, ${first.advance.operator.today}, 'paid') as number
    from unnest(${ids}::bigint[]) with ordinality x (id, place)`
    .execute(tx)
    .catch(closedSeries)
  const numbers = new Map(rows.map(({ id, number }) => [id, number]))
  const told = issued.map(({ invoiceId, line: { client_id, amount, currency } }) => ({
    client_id,
    kind: 'invoice_issued',
    about_id: invoiceId,
    params: JSON.stringify({
      what: 'fiscal',
      number: numbers.get(invoiceId) ?? '',
      total: moneyIn({ amount, currency }),
    }),
  }))
  await tx.insertInto('notifications').values(told).execute()
}
