import type { DocumentData, DocumentLogo } from '#money/invoices/documents/document.ts'
import { words } from '#money/invoices/documents/words.ts'
import { day, days } from './formats.ts'
import { lineTable, totals } from './lines.ts'
import { partyOf } from './parties.ts'
import { logoOf } from './pdf-logo.ts'
import { remarks } from './remarks.ts'
import { accent, breakable, type Content, type Definition, ink, quiet, right, warning } from './styles.ts'

function facts(data: DocumentData): Content {
  const { locale } = data
  const say = words[locale]
  // A credit note must state the date of the invoice too (Cod fiscal, art. 330).
  const naming = ({ full_number, issue_date }: DocumentData['refers_to'][number]) =>
    data.kind === 'credit_note' ? `${full_number},\n${day(issue_date, locale)}` : full_number
  const rows: [string, string | null][] = [
    [say.issued, day(data.issue_date, locale)],
    [say.due, data.kind === 'credit_note' ? null : day(data.due_date, locale)],
    [say.taxPoint, data.tax_point_date === data.issue_date ? null : day(data.tax_point_date, locale)],
    [
      say.period,
      data.period_from && data.period_to
        ? days(locale).formatRange(Date.parse(data.period_from), Date.parse(data.period_to))
        : null,
    ],
    [say.order, data.po_number],
    [say.refers, data.refers_to.map(naming).join(', ') || null],
  ]
  return {
    layout: 'noBorders',
    // Aligns the first row with the headings of the other column.
    margin: [0, -3, 0, 0],
    table: {
      widths: ['auto', '*'],
      body: rows
        .filter(([, value]) => value !== null)
        .map(([label, value]) => [
          { text: label, color: quiet, noWrap: true },
          { text: breakable(value ?? '', 14), alignment: 'right' },
        ]),
    },
  }
}

function head(data: DocumentData, logo: DocumentLogo): Content {
  const say = words[data.locale]
  return {
    columns: [
      logoOf(logo, { text: data.seller.name, fontSize: 16, bold: true, color: accent }),
      {
        width: 'auto',
        stack: [
          { text: say.title[data.kind], fontSize: 20, bold: true, alignment: 'right' },
          { text: data.full_number, fontSize: 12, color: quiet, alignment: 'right' },
          ...(data.cancelled ? [right(say.cancelled, { fontSize: 14, bold: true, color: warning })] : []),
        ],
      },
    ],
  }
}

/**
 * The document definition for pdfmake: A4, in the client's language. `logo` is an SVG, or the data URL of an image.
 * pdfmake mutates its argument.
 */
export function pdfDocument(data: DocumentData, logo: DocumentLogo): Definition {
  const say = words[data.locale]
  const { name, website } = data.seller
  return {
    pageSize: 'A4',
    pageMargins: [48, 48, 48, 56],
    language: data.locale,
    info: {
      title: `${say.title[data.kind]} ${data.full_number}`,
      author: name,
      creationDate: new Date(Date.parse(data.issued_at)),
    },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, color: ink, lineHeight: 1.15 },
    styles: { label: { fontSize: 8, color: quiet, bold: true } },
    content: [
      head(data, logo),
      {
        margin: [0, 28, 0, 0],
        columnGap: 20,
        columns: [
          partyOf(say.seller, data.seller, data),
          partyOf(say.buyer, data.buyer, data),
          { width: 190, stack: [facts(data)] },
        ],
      },
      lineTable(data),
      totals(data),
      remarks(data),
    ],
    footer: (page: number, pages: number) => ({
      margin: [48, 16, 48, 0],
      columns: [
        { text: [name, website].filter(Boolean).join(' · '), color: quiet, fontSize: 8 },
        right(`${say.page} ${page} / ${pages}`, { color: quiet, fontSize: 8 }),
      ],
    }),
  }
}
