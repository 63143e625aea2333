import { sum } from '../../ui/format.ts'

/** A place along the axis; `short` is its name where little room is. */
export type Column = { key: string; name: string; short: string }

/** One kind of what a chart stacks: its name, and an amount for each column. */
export type Series = { key: string; name: string; values: readonly number[] }

type Cell = { column: string; key: string; name: string; amount: number }

/** As many as have a colour of their own; the others are one together. */
const most = 6

/** The amounts of each kind by column, the largest kind first; what is beyond the colours is added up as `others`. */
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
  const ranked = all.sort((a, b) => sum(b.values) - sum(a.values))
  // One that is left over has a colour too.
  if (ranked.length <= most + 1) return ranked
  const rest = ranked.slice(most)
  const added = columns.map((_, at) => sum(rest.map(({ values }) => values[at] ?? 0)))
  return [...ranked.slice(0, most), { key: '', name: others(rest.length), values: added }]
}

/** What all of a column comes to. */
export const columnTotal = (series: readonly Series[], at: number): number =>
  sum(series.map(({ values }) => values[at] ?? 0))

const steps = [1, 2, 2.5, 5, 10] as const

/** Round numbers from 0 to what is no less than the largest amount, for the scale beside a chart. */
export function scale(largest: number): number[] {
  if (largest <= 0) return [0, 1]
  const rough = largest / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (steps.find((one) => one * power >= rough) ?? 10)
  const count = Math.ceil(largest / step)
  return Array.from({ length: count + 1 }, (_, at) => sum([at * step]))
}
