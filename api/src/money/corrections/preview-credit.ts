import type { creditPreview } from '@portico/contract/resources/invoices.ts'
import Big from 'big.js'
import type * as z from 'zod/mini'
import type { Original } from '#money/invoices/credit-notes.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { refuse } from '#platform/errors/problem.ts'
import { partsOf } from './credit-bill.ts'
import { type Content, creditContent, creditedBefore, leftToCredit, type Wish } from './credit-content.ts'
import { waysBack } from './pay-back.ts'

type Given = { readonly row: RowOf<'invoices'>; readonly input: Wish }

/** The amounts of a credit note, above zero. */
function sumsOf({ groups }: Content) {
  const sum = (of: 'net' | 'vat') => groups.reduce((all, group) => all.minus(group[of]), new Big(0))
  const [net, vat] = [sum('net'), sum('vat')]
  return { net, vat, total: net.plus(vat) }
}

/** The verb that says what a credit note would hold, and where what was paid could go. Throws like `creditBill`. */
export async function previewCredit(
  { tx }: Context,
  { row, input }: Given,
): Promise<z.input<typeof creditPreview>> {
  if (row.kind !== 'fiscal' || row.reason === 'advance') throw refuse('credit_note_deposit')
  const bill: Original = await tx
    .selectFrom('invoices')
    .select(columns.invoices)
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const content = await creditContent(tx, bill, input)
  const { net, vat, total } = sumsOf(content)
  if (total.lt(0)) throw refuse('credited_already')
  const { asked, lost, paid } = partsOf(bill, total)
  const before = await creditedBefore(tx, bill)
  const left = await leftToCredit(tx, bill)
  return {
    credited_lines: [...before.lines],
    by_lines: !before.byAmount,
    by_amount: before.lines.size === 0 && left !== null,
    left_net: left === null ? null : Number(left),
    net: Number(net),
    vat: Number(vat),
    total: Number(total),
    from_open: Number(asked),
    from_loss: Number(lost),
    from_paid: Number(paid),
    advances: Number(content.returned),
    ways: ['balance', ...(await waysBack(tx, bill, { gross: paid, isWhole: content.isWhole }))],
  }
}
