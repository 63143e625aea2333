/** A plan whose month costs more, with the panels that have it. Prices are exact decimals. */
export type DearerFee = {
  readonly plan: string
  readonly panels: readonly string[]
  readonly currency: string
  readonly was: string
  readonly becomes: string
}

/** A meter that costs more; a price is null where it has tiers. `plan`: null for every plan. */
export type DearerMeter = {
  readonly meter: string
  readonly unit: string
  readonly plan: string | null
  readonly currency: string
  readonly was: string | null
  readonly becomes: string | null
}

/** Letters about plans and their prices. Days are UTC days. */
export type PlanLetter =
  | {
      readonly kind: 'prices-rise'
      readonly name: string
      readonly on: string
      readonly fees: readonly DearerFee[]
      readonly meters: readonly DearerMeter[]
    }
  | {
      readonly kind: 'plan-traffic'
      readonly name: string
      readonly panel: string
      readonly plan: string
      readonly percent: 80 | 100
      /** Whole gigabytes. */
      readonly used: number
      readonly allowed: number
    }
  | {
      readonly kind: 'plan-assigned'
      readonly name: string
      readonly panel: string
      readonly plan: string
      readonly on: string
      readonly reason: string
      /** Of a month, exact. */
      readonly price: { readonly monthly: string; readonly currency: string }
    }

/** The price of a unit, with all its decimals. */
export function rateIn(amount: string, currency: string): string {
  // A decimal in a text is formatted as it is, but the types only accept literals.
  const exact = amount as `${number}`
  const form = { style: 'currency', currency, maximumFractionDigits: 10 } as const
  return new Intl.NumberFormat('en-US', form).format(exact)
}

const mostNames = 5

/** The names of panels, or how many they are when that is too long to read. */
export const panelsIn = (
  panels: readonly string[],
  list: Intl.ListFormat,
  many: (count: number) => string,
) => (panels.length > mostNames ? many(panels.length) : list.format(panels))
