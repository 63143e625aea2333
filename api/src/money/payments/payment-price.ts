import type { VatTreatment } from '@portico/contract/rules/vat.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { forecastOf } from '#money/balance/forecast.ts'
import { billReasons, owedStatuses, statusIds } from '#money/invoice-statuses.ts'
import { assertIssuable } from '#money/invoices/document-readiness.ts'
import { billedOf, operatorOf } from '#money/invoices/parties.ts'
import { ruleVat, splitGross, vatOn } from '#money/invoices/vat/vat.ts'
import { payable, rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isOpenPayment } from './payment-rows.ts'

/** An amount in its parts; exact decimals. */
export type Sum = { readonly net: string; readonly vat: string; readonly gross: string }

/** The target of a part of a payment: an open bill, or, without one, the balance. */
export type Allocation = Sum & { readonly invoiceId: number | null; readonly number: string | null }

export type Priced = Sum & {
  /** The part of it for the balance, with VAT; undefined where it is for one document. */
  readonly sale?: string
  readonly currency: string
  readonly treatment: VatTreatment
  readonly country: string
  readonly rate: string
}

type OpenBill = {
  readonly id: number
  readonly number: string | null
  readonly net: string
  readonly total: string
  readonly paid: string
  readonly due: string
  /** The part of the write-off that the given money takes back; it counts as due, and not as paid. */
  readonly recovered: string
  readonly rate: string
  readonly country: string
  readonly treatment: VatTreatment
}

/** Money for a named bill; what the bill does not ask for takes back its write-off first. */
export type Arrived = { readonly invoiceId: number | null; readonly gross: string }

const notBeingPaid = sql`not exists (select from payments p where p.invoice_id = invoices.id
  and ${isOpenPayment('p')})`

/** SQL: how much of a bill's write-off the arrived money takes back. */
const recoveredBy = ({ invoiceId, gross }: Arrived) => sql`case when id = ${invoiceId} then
  least(written_off, greatest(${gross}::numeric - greatest(total - credited - paid, 0), 0)) else 0 end`

/**
 * Unpaid bills, oldest first; `only` restricts to one, and `free` excludes those with an open payment. The bill that `arrived`
 * names is among them as far as its write-off is taken back. Locked until the end of the transaction when `held`.
 */
export async function openBills(
  tx: Database,
  clientId: number,
  {
    only,
    arrived,
    free = false,
    held = false,
  }: {
    readonly only?: number | undefined
    readonly arrived?: Arrived
    readonly free?: boolean
    readonly held?: boolean
  } = {},
): Promise<OpenBill[]> {
  const recovered = arrived ? recoveredBy(arrived) : sql`0::numeric`
  const { rows } = await sql<OpenBill>`
    select id, full_number as number, net, total, paid - ${recovered} as paid,
      greatest(total - credited - paid, 0) + ${recovered} as due, ${recovered} as recovered, vat_rate as rate,
      vat_country as country, vat_treatment as treatment
    from invoices
    where client_id = ${clientId} and kind = 'fiscal' and reason in ${billReasons}
      and (invoice_status_id in ${owedStatuses} and total - credited - paid > 0 or ${recovered} > 0)
      and ${only === undefined ? sql`true` : sql`id = ${only}`}
      and ${free ? notBeingPaid : sql`true`}
    order by due_date, id ${held ? sql`for no key update` : sql``}`.execute(tx)
  return rows
}

/** The net part of a payment for a bill: parts add up to the bill's own net exactly. */
export function partOf(bill: OpenBill, amount: Big, currency: string): Allocation {
  const until = (paid: Big) => rounded(paid.times(bill.net).div(bill.total), currency)
  const net = until(amount.plus(bill.paid)).minus(until(new Big(bill.paid)))
  return {
    invoiceId: bill.id,
    number: bill.number,
    net: net.toFixed(2),
    vat: amount.minus(net).toFixed(2),
    gross: amount.toFixed(2),
  }
}

/**
 * Allocates a payment: to the bill it names first, then to open bills, oldest first; the rest goes to the
 * balance, with VAT at the rate of the payment's start.
 */
export function allocate(
  gross: string,
  bills: readonly OpenBill[],
  {
    rate,
    currency,
    invoiceId,
  }: { readonly rate: string; readonly currency: string; readonly invoiceId: number | null },
): Allocation[] {
  const first = bills.filter(({ id }) => id === invoiceId)
  const parts: Allocation[] = []
  let rest = new Big(gross)
  for (const bill of [...first, ...bills.filter(({ id }) => id !== invoiceId)]) {
    const amount = rest.lt(bill.due) ? rest : new Big(bill.due)
    if (amount.lte(0)) break
    parts.push(partOf(bill, amount, currency))
    rest = rest.minus(amount)
  }
  if (rest.gt(0)) {
    const { net, vat } = splitGross(rest, rate, currency)
    parts.push({
      invoiceId: null,
      number: null,
      net: net.toFixed(2),
      vat: vat.toFixed(2),
      gross: rest.toFixed(2),
    })
  }
  return parts
}

export type Wish = {
  readonly clientId: number
  /** Without VAT, for the balance. */
  readonly net?: string | undefined
  /** The one bill to pay. */
  readonly invoiceId?: number | undefined
  /** The one unpaid proforma to pay, as it was priced. */
  readonly proformaId?: number | undefined
  /** Adds open bills without a pending payment to the amount for the balance. */
  readonly withBills?: boolean
}

/** The sum of several parts. */
export const sumOf = (parts: readonly Sum[]): Sum => {
  const total = (name: keyof Sum) => parts.reduce((sum, part) => sum.plus(part[name]), new Big(0)).toFixed(2)
  return { net: total('net'), vat: total('vat'), gross: total('gross') }
}

/** The price of an unpaid proforma. Throws `proforma_not_open`. */
async function proformaPrice(tx: Database, clientId: number, proformaId: number): Promise<Priced> {
  const { rows } = await sql<Priced>`select currency, net, vat, total as gross, vat_treatment as treatment,
      vat_country as country, vat_rate as rate
    from invoices where id = ${proformaId} and client_id = ${clientId} and kind = 'proforma' and issued_at is not null
      and invoice_status_id in ${statusIds('unpaid')}`.execute(tx)
  const [priced] = rows
  if (!priced) throw refuse('proforma_not_open', {}, { source: { pointer: '/data/attributes/invoice_id' } })
  return priced
}

/**
 * The price of a payment. Throws `billing_info_incomplete`, `documents_need_…`, `bill_not_open`, and `proforma_not_open`.
 */
export async function priceOf(tx: Database, wish: Wish): Promise<Priced> {
  if (wish.proformaId !== undefined) return proformaPrice(tx, wish.clientId, wish.proformaId)
  const { clientId, net, invoiceId, withBills = false } = wish
  const [operator, billed] = [await operatorOf(tx), await billedOf(tx, clientId)]
  if (invoiceId !== undefined) {
    const [bill] = await openBills(tx, clientId, { only: invoiceId })
    if (!bill)
      throw refuse(
        'bill_not_open',
        {},
        {
          source: { pointer: '/data/attributes/invoice_id' },
        },
      )
    const { treatment, country, rate } = bill
    return {
      ...partOf(bill, new Big(bill.due), billed.currency),
      currency: billed.currency,
      treatment,
      country,
      rate,
    }
  }
  await assertIssuable(tx, operator, billed.currency)
  const { buyer, currency } = billed
  const amount = net === undefined ? new Big(0) : payable(net, currency)
  const sold = { currency, netAt: () => amount }
  const { decision } = await ruleVat(tx, { operator, buyer, clientId, on: operator.today, sold })
  const { treatment, country, rate } = decision
  const vat = vatOn(amount, rate, billed.currency)
  const paidIn = { net: amount.toFixed(2), vat: vat.toFixed(2), gross: amount.plus(vat).toFixed(2) }
  const bills = withBills ? await openBills(tx, clientId, { free: true }) : []
  const sum = sumOf([paidIn, ...bills.map((bill) => partOf(bill, new Big(bill.due), billed.currency))])
  return { ...sum, currency, treatment, country, rate, sale: paidIn.gross }
}

/** Quotes a payment and its effect; writes nothing. */
export async function quotePayment(tx: Database, wish: Wish) {
  const priced = await priceOf(tx, wish)
  const bills = await openBills(tx, wish.clientId)
  const { rate, currency } = priced
  const parts = allocate(priced.gross, bills, { rate, currency, invoiceId: wish.invoiceId ?? null })
  const sum = sumOf(parts)
  return {
    currency: priced.currency,
    net: Number(priced.net),
    vat_rate: Number(priced.rate),
    vat: Number(priced.vat),
    gross: Number(priced.gross),
    treatment: priced.treatment,
    allocations: parts.map((part) => ({
      to: part.invoiceId === null ? ('balance' as const) : ('service_bill' as const),
      invoice_id: part.invoiceId,
      number: part.number,
      net: Number(part.net),
      vat: Number(part.vat),
      gross: Number(part.gross),
    })),
    // Paying a bill lifts the balance by its net, like a deposit. Credit that ends before is not counted on.
    new_exhaustion_date: (await forecastOf(tx, wish.clientId, { pay: sum.net })).exhaustion_date,
  }
}
