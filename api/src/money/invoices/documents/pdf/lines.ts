import type { DocumentData } from '#money/invoices/documents/document.ts'
import { words } from '#money/invoices/documents/words.ts'
import { bare, money } from './formats.ts'
import { breakable, type Content, hair, ink, quiet, right } from './styles.ts'

const rules = {
  hLineWidth: (at: number, { table }: { table: { body: unknown[] } }) =>
    at === 1 || at === table.body.length ? 1 : 0.5,
  vLineWidth: () => 0,
  hLineColor: (at: number) => (at === 1 ? ink : hair),
  // Aligned with the page margins, with space between amounts.
  paddingLeft: (at: number) => (at === 0 ? 0 : 14),
  paddingRight: () => 0,
  paddingTop: () => 5,
  paddingBottom: () => 5,
}

/** The lines of a document. */
export function lineTable(data: DocumentData): Content {
  const say = words[data.locale]
  const inCurrency = (head: string) => `${head} (${data.currency})`
  const heads = [say.description, say.quantity, inCurrency(say.price), inCurrency(say.net), say.rate]
  return {
    margin: [0, 22, 0, 0],
    layout: rules,
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['*', 'auto', 'auto', 'auto', 'auto'],
      body: [
        heads.map((text, at) => ({ text, style: 'label', alignment: at === 0 ? 'left' : 'right' })),
        ...data.lines.map((line) => [
          { text: breakable(data.locale === 'ro' ? line.description_ro : line.description_en, 40) },
          right(bare(line.quantity)),
          right(money(line.unit_price, data.currency)),
          right(money(line.net, data.currency)),
          right(line.vat_category === 'S' ? `${bare(line.vat_rate)}%` : '–'),
        ]),
      ],
    },
  }
}

/** The sums of a document: net, the VAT of each rate, and the total. */
export function totals(data: DocumentData): Content {
  const say = words[data.locale]
  const { currency } = data
  const taxed = data.vat_groups.filter(({ category }) => category === 'S')
  const vats = taxed.map(({ rate, net, vat }): [string, string] => [
    `${say.totalVat} ${bare(rate)}% ${say.of} ${money(net, currency)}`,
    vat,
  ])
  // Without VAT the total states zero, and the remarks give the reason.
  if (vats.length === 0) vats.push([say.totalVat, data.vat])
  return {
    margin: [0, 12, 0, 0],
    unbreakable: true,
    columns: [
      { text: '', width: '*' },
      {
        width: 260,
        layout: 'noBorders',
        table: {
          widths: ['*', 'auto'],
          body: [
            [{ text: say.totalNet, color: quiet }, right(money(data.net, currency))],
            ...vats.map(([label, vat]) => [{ text: label, color: quiet }, right(money(vat, currency))]),
            [
              { text: `${say.total} (${currency})`, bold: true, fontSize: 12, margin: [0, 4, 0, 0] },
              right(money(data.total, currency), { bold: true, fontSize: 12, margin: [0, 4, 0, 0] }),
            ],
          ],
        },
      },
    ],
  }
}
