import { mostSeries } from '../../api/queries/usage.ts'
import { sum } from '../../ui/format.ts'

/** A column on the axis; `short` is its label where space is scarce. */
export type Column = {
  readonly key: string
  readonly name: string
  readonly short: string
  /** A day or month that is not over. */
  readonly isOpen?: boolean
}

/** One layer of the stacks: its name, and an amount for each column. */
export type Series = {
  key: string
  name: string
  values: readonly number[]
  /** The sum of all that have no colour of their own. */
  isRest?: boolean
}

/** A cell without a key is a part of the others. */
type Cell = { column: string; key: string; name: string; amount: number }

/** A series of less than this part of the whole is thinner than a line, and its amount is mostly zero. */
const least = 1 / 1000

/**
 * The amounts of each series by column, the largest series first; those beyond the most, and those too small to be
 * seen, are summed as `others`.
 */
export function stacked(
  cells: readonly Cell[],
  columns: readonly string[],
  others: (count: number) => string,
): Series[] {
  const place = new Map(columns.map((column, at) => [column, at]))
  const known = cells.filter(({ column }) => place.has(column))
  const all = [...Map.groupBy(known, ({ key }) => key)].map(([key, ofKey]): Series => {
    const values = columns.map(() => 0)
    for (const { column, amount } of ofKey) {
      const at = place.get(column) ?? 0
      values[at] = sum([values[at] ?? 0, amount])
    }
    return { key, name: ofKey[0]?.name ?? key, values }
  })
  const summed = all.filter(({ key }) => key === '')
  const ranked = all.filter(({ key }) => key !== '').sort((a, b) => sum(b.values) - sum(a.values))
  const whole = sum(all.flatMap(({ values }) => values))
  const visible = ranked.filter(({ values }) => Math.abs(sum(values)) >= whole * least)
  // A single one that is too small has a colour of its own too.
  if (summed.length === 0 && ranked.length <= mostSeries && ranked.length - visible.length <= 1) return ranked
  const seen = visible.slice(0, mostSeries - 1)
  const rest = ranked.filter((series) => !seen.includes(series))
  const added = columns.map((_, at) => sum([...rest, ...summed].map(({ values }) => values[at] ?? 0)))
  return [...seen, { key: '', name: others(rest.length), values: added, isRest: true }]
}

/** The layers of a stack from the bottom up: the sum of the others is the ground, so that it is never above a named one. */
export const layered = (series: readonly Series[]): Series[] => [
  ...series.filter(({ isRest }) => isRest),
  ...series.filter(({ isRest }) => !isRest),
]

/** The total of a column over all series. */
export const columnTotal = (series: readonly Series[], at: number): number =>
  sum(series.map(({ values }) => values[at] ?? 0))

const steps = [1, 2, 2.5, 5, 10] as const

/** Round numbers at equal distances, with zero among them, from the least amount or below to the largest or above. */
export function scale(largest: number, least = 0): number[] {
  const [bottom, top] = [Math.min(0, least), Math.max(0, largest)]
  if (bottom === top) return [0, 1]
  const rough = (top - bottom) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (steps.find((one) => one * power >= rough) ?? 10)
  const first = Math.floor(bottom / step)
  const count = Math.ceil(top / step) - first
  return Array.from({ length: count + 1 }, (_, at) => sum([(first + at) * step]))
}
