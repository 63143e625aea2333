import type { ActionOf, Output } from '../../api/actions.ts'
import { sum } from '../../ui/format.ts'

export type Preview = Output<ActionOf<'month-closes', 'previewVat'>>

type Amounts = Preview['totals'][number]

/** With more answers, reading them takes minutes. */
const mostAnswers = 20

const keyOf = ({ bills: _, net: __, vat: ___, gross: ____, ...of }: Amounts): string => JSON.stringify(of)

/** Rows of two answers, those of the same currency, country and rate as one; in their order. */
function added<S extends Amounts>(some: readonly S[], more: readonly S[]): S[] {
  const rows = new Map(some.map((row) => [keyOf(row), row]))
  for (const row of more) {
    const known = rows.get(keyOf(row))
    const { bills, net, vat, gross } = known ?? { bills: 0, net: 0, vat: 0, gross: 0 }
    rows.set(keyOf(row), {
      ...row,
      bills: bills + row.bills,
      net: sum([net, row.net]),
      vat: sum([vat, row.vat]),
      gross: sum([gross, row.gross]),
    })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

/** What two answers come to, of which the second one follows the first. */
const together = (one: Preview, next: Preview): Preview => ({
  sums: added(one.sums, next.sums),
  totals: added(one.totals, next.totals),
  refused: one.refused + next.refused,
  uncharged: one.uncharged + next.uncharged,
  later: one.later + next.later,
  counted: one.counted + next.counted,
  next: next.next,
})

/** The answers for all clients, one after another, together; `next` is still there where that would take too long. */
export async function readAll(read: (after: number | undefined) => Promise<Preview>): Promise<Preview> {
  let all = await read(undefined)
  for (let answers = 1; all.next !== null && answers < mostAnswers; answers++)
    all = together(all, await read(all.next))
  return all
}
