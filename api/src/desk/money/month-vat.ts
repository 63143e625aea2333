import { type monthCloses, summedAtOnce } from '@portico/contract/resources/month-closes.ts'
import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type Bill, groupsOf, totalsOf } from '#money/invoices/month/bill.ts'
import { openMonths, readyBill } from '#money/invoices/month/close.ts'
import type { Month } from '#money/invoices/month/lines.ts'
import { monthEnd } from '#money/invoices/month/open-items.ts'
import { fxRate } from '#money/invoices/rates/fx.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem, Problems } from '#platform/errors/problem.ts'
import { openMonth } from './month-preview.ts'

type Input = z.output<typeof monthCloses.actions.previewVat.input>
type Preview = z.input<typeof monthCloses.actions.previewVat.output>

/** A client whom the close would bill. */
type Waiting = Month & {
  readonly client_id: number
  /** The last day that is on no bill yet. */
  readonly latest: string
  /** Clients from this one on. */
  readonly left: number
}

async function waitingClients(tx: Database, after: number): Promise<readonly Waiting[]> {
  const { rows } = await sql<Waiting>`
    select o.client_id, o.latest::text, count(*) over (order by o.client_id desc)::int as left,
      (m.until - interval '1 month')::date::text as from, m.until::text
    from (select client_id, max(day) as latest from (${openMonth}) i where client_id > ${after} group by client_id) o
    cross join (select ${monthEnd} as until) m order by o.client_id limit ${summedAtOnce}::int`.execute(tx)
  return rows
}

/** The bill that the close would make first for a client; `later` says whether another month of theirs follows. */
async function firstBill(tx: Database, { client_id, latest, from, until }: Waiting) {
  const [first = { from, until }] = await openMonths(tx, client_id, { from, until })
  const ready = await readyBill(tx, client_id, first, { hold: false })
  if (typeof ready === 'string') return ready
  const { bill } = ready
  await fxRate(tx, bill.billed.currency, bill.operator.currency, addDays(first.until, -1))
  return { bill, later: latest >= first.until }
}

const isRefusal = (error: unknown): boolean => error instanceof Problem || error instanceof Problems

/** What the close would do for a client: a bill, or why there is none; `refused` for one that lacks something. */
const closeOf = (tx: Database, waiting: Waiting) =>
  firstBill(tx, waiting).catch((error: unknown) => {
    if (isRefusal(error)) return 'refused' as const
    throw error
  })

type Amounts = { readonly net: Big.BigSource; readonly vat: Big.BigSource }

/** The sums of the amounts by what they are of, in the order of that. */
function sumsBy<Of extends object>(all: readonly { readonly of: Of; readonly amounts: Amounts }[]) {
  const sums = new Map<string, { of: Of; net: Big; vat: Big; bills: number }>()
  for (const { of, amounts } of all) {
    const key = JSON.stringify(of)
    const before = sums.get(key) ?? { of, net: new Big(0), vat: new Big(0), bills: 0 }
    const bills = before.bills + 1
    sums.set(key, { of, net: before.net.plus(amounts.net), vat: before.vat.plus(amounts.vat), bills })
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { of, net, vat, bills }]) => ({
      ...of,
      bills,
      net: Number(net),
      vat: Number(vat),
      gross: Number(net.plus(vat)),
    }))
}

const ratesOf = (bill: Bill) =>
  groupsOf(bill).map(({ country, category, rate, ...amounts }) => ({
    of: { currency: bill.billed.currency, country, category, rate: Number(rate) },
    amounts,
  }))

const totalOf = (bill: Bill) => ({ of: { currency: bill.billed.currency }, amounts: totalsOf(bill) })

/**
 * What the bills of the close add up to by currency, country, category and rate of VAT, for some clients at once. Each is the bill
 * that would be issued now, so that the sums are those of the documents. Where several months of a client are open, it is the bill
 * of the first, because those after it depend on its effects.
 */
export async function previewMonthVat(
  { tx }: Pick<Context, 'tx'>,
  { input: { after = 0 } }: { readonly input: Input },
): Promise<Preview> {
  const waiting = await waitingClients(tx, after)
  const last = waiting.at(-1)
  const found: Awaited<ReturnType<typeof closeOf>>[] = []
  for (const one of waiting) found.push(await closeOf(tx, one))
  const first = found.filter((one) => typeof one === 'object')
  const bills = first.map(({ bill }) => bill)
  return {
    sums: sumsBy(bills.flatMap(ratesOf)),
    totals: sumsBy(bills.map(totalOf)),
    refused: found.filter((one) => one === 'refused').length,
    uncharged: found.filter((one) => one === 'waiting').length,
    later: first.filter(({ later }) => later).length,
    counted: waiting.length,
    next: last !== undefined && last.left > 1 ? last.client_id : null,
  }
}
