// The prices in a file of plans, as the lines of time that the desk draws.

/** UTC days; `to` is the first day on which it no longer counts, null: without end. */
type Dated = { readonly from: string | null; readonly to: string | null }

type Fee = Dated & { readonly plan: string; readonly monthly: string }

type Meter = Dated & {
  readonly meter: string
  /** Null: any plan. */
  readonly plan: string | null
  /** The kind of resource; empty: any. */
  readonly kind: string
  /** Null: by tiers. */
  readonly unit_price: string | null
  readonly tiers?: unknown
}

type List = {
  readonly code: string
  readonly currency: string
  readonly default: boolean
  readonly fees: readonly Fee[]
  readonly meters: readonly Meter[]
}

/** What the desk reads of a file; all else stays as it is. */
export type PriceFile = { readonly price_lists: readonly List[] }

export type Span = Dated & { readonly amount: string | null }

/** A price of a list over time: of a plan a month, or of a unit of a meter. */
export type PriceLine = {
  readonly list: string
  readonly currency: string
  readonly plan: string | null
  /** Null: the fee of the plan. */
  readonly meter: string | null
  readonly kind: string
  readonly spans: readonly Span[]
}

const keyOf = ({ plan, meter, kind }: Pick<PriceLine, 'plan' | 'meter' | 'kind'>): string =>
  JSON.stringify([plan, meter, kind])

const byDay = (a: Dated, b: Dated): number => (a.from ?? '').localeCompare(b.from ?? '')

function entriesOf({ fees, meters }: List) {
  return [
    ...fees.map(({ plan, monthly, from, to }) => ({
      plan,
      meter: null,
      kind: '',
      amount: monthly,
      from,
      to,
    })),
    ...meters.map(({ plan, meter, kind, unit_price: amount, from, to }) => ({
      plan,
      meter,
      kind,
      amount,
      from,
      to,
    })),
  ]
}

/** Every price of the file, with its periods in the order of time. */
export function priceLines({ price_lists }: PriceFile): PriceLine[] {
  return price_lists.flatMap((list) =>
    [...Map.groupBy(entriesOf(list), keyOf).values()].flatMap((entries) => {
      const [first] = entries
      if (first === undefined) return []
      const { plan, meter, kind } = first
      const spans = entries.map(({ amount, from, to }) => ({ amount, from, to })).sort(byDay)
      return { list: list.code, currency: list.currency, plan, meter, kind, spans }
    }),
  )
}

type Wish = { readonly amount: string; readonly from: string }

/** A unit price takes the place of tiers. */
const untiered = (meter: Meter): Meter => ('tiers' in meter ? { ...meter, tiers: null } : meter)

/**
 * Entries of which those of one price have another amount from a day on: what was planned for later is replaced, and a period
 * that ended before that day stays as it was. Undefined when there is no amount before that day.
 */
function replaced<E extends Dated>(
  all: readonly E[],
  isIt: (entry: E) => boolean,
  from: string,
  next: (last: E) => E,
): E[] | undefined {
  const before = all.filter((one) => isIt(one) && (one.from ?? '') < from)
  const last = before.toSorted(byDay).at(-1)
  if (last === undefined) return undefined
  const to = last.to !== null && last.to < from ? last.to : from
  return [
    ...all.filter((one) => !isIt(one)),
    ...before.map((one) => (one === last ? { ...one, to } : one)),
    next({ ...last, from, to: null }),
  ]
}

/** The file in which a price has another amount from a day on; undefined when it has none before that day. */
export function withPrice<F extends PriceFile>(
  file: F,
  line: PriceLine,
  { amount, from }: Wish,
): F | undefined {
  const isIt = (entry: Pick<PriceLine, 'plan' | 'meter' | 'kind'>) => keyOf(entry) === keyOf(line)
  const isFee = ({ plan }: Fee) => isIt({ plan, meter: null, kind: '' })
  const list = file.price_lists.find(({ code }) => code === line.list)
  if (list === undefined) return undefined
  const [fees, meters] =
    line.meter === null
      ? [replaced(list.fees, isFee, from, (last) => ({ ...last, monthly: amount })), list.meters]
      : [list.fees, replaced(list.meters, isIt, from, (last) => ({ ...untiered(last), unit_price: amount }))]
  if (fees === undefined || meters === undefined) return undefined
  return {
    ...file,
    price_lists: file.price_lists.map((one) => (one === list ? { ...list, fees, meters } : one)),
  }
}
