import Big from 'big.js'
import { type Category, readVat, type Subtotal, sum, text, texts } from './invoice-reader.ts'
import type { Node } from './xml.ts'

export type Rule = readonly [rule: string, holds: boolean]

const within = (one: Big, other: Big): boolean => one.minus(other).abs().lt(1)

/** The VAT of a row by its rate, to cents and without its sign. */
const expected = ({ net, percent }: Category): Big =>
  net
    .abs()
    .times(percent ?? 0)
    .div(100)
    .round(2, Big.roundHalfUp)

const isZero = (amount: Big | null): boolean => amount?.eq(0) ?? false

type Numbers = { readonly lines: readonly Category[]; readonly subtotals: readonly Subtotal[] }

/** The rules about a category without VAT: reverse charge, or not subject to VAT. */
function untaxed(code: 'AE' | 'O', { lines, subtotals }: Numbers): Rule[] {
  const ofLines = lines.filter((line) => line.code === code)
  const rows = subtotals.filter((row) => row.code === code)
  const net = ofLines.reduce((all, line) => all.plus(line.net), new Big(0))
  return [
    [`BR-${code}-01`, rows.length === (ofLines.length + rows.length > 0 ? 1 : 0)],
    [`BR-${code}-08`, rows.every((row) => row.net.eq(net))],
    [`BR-${code}-09`, rows.every((row) => row.vat.eq(0))],
    [`BR-${code}-10`, rows.every(({ why }) => why)],
    [`BR-${code}-05`, ofLines.every(({ percent }) => (code === 'O' ? percent === null : isZero(percent)))],
  ]
}

/** The rules about the standard rate. */
function taxed({ lines, subtotals }: Numbers): Rule[] {
  const ofLines = lines.filter(({ code }) => code === 'S')
  const rows = subtotals.filter(({ code }) => code === 'S')
  const sameRate = (one: Category) => (other: Category) =>
    one.percent !== null && other.percent !== null && one.percent.eq(other.percent)
  const netOf = (row: Subtotal) =>
    ofLines.filter(sameRate(row)).reduce((all, line) => all.plus(line.net), new Big(0))
  return [
    ['BR-S-01', ofLines.length > 0 === rows.length > 0],
    ['BR-S-05', ofLines.every(({ percent }) => percent?.gt(0) ?? false)],
    ['BR-S-08', rows.every((row) => ofLines.some(sameRate(row)) && within(row.net, netOf(row)))],
    ['BR-S-09', rows.every((row) => within(row.vat.abs(), expected(row)))],
    ['BR-S-10', rows.every(({ why }) => !why)],
  ]
}

/** The rules about VAT, by their names in EN 16931. */
export function vatRules(root: Node): Rule[] {
  const numbers = readVat(root)
  const { lines, subtotals } = numbers
  const codes = new Set([...lines, ...subtotals].map(({ code }) => code))
  const seller = 'cac:AccountingSupplierParty/cac:Party'
  const buyer = 'cac:AccountingCustomerParty/cac:Party'
  const isRegistered = texts(root, `${buyer}/cac:PartyLegalEntity/cbc:CompanyID`).length > 0
  const sellerScheme = text(root, `${seller}/cac:PartyTaxScheme/cac:TaxScheme/cbc:ID`)
  const [sellerNumbers, buyerNumbers] = [seller, buyer].map((party) =>
    texts(root, `${party}/cac:PartyTaxScheme/cbc:CompanyID`),
  )
  const hasSeller = sellerNumbers?.length === 1
  const hasBuyer = buyerNumbers?.length === 1
  const isNotSubject = subtotals.some(({ code }) => code === 'O')
  const total = text(root, 'cbc:DocumentCurrencyCode')
  return [
    ...taxed(numbers),
    ...untaxed('AE', numbers),
    ...untaxed('O', numbers),
    ['BR-CO-18', total !== '' && subtotals.length > 0],
    [
      'BR-CO-17',
      subtotals.every((row) =>
        (row.percent ?? new Big(0)).round(0, Big.roundHalfUp).eq(0)
          ? row.vat.round(0, Big.roundHalfUp).eq(0)
          : within(row.vat.abs(), expected(row)),
      ),
    ],
    ['BR-S-02', !codes.has('S') || hasSeller],
    ['BR-AE-02', !codes.has('AE') || (hasSeller && (hasBuyer || isRegistered))],
    ['BR-O-02', !lines.some(({ code }) => code === 'O') || (sellerScheme !== 'VAT' && !hasBuyer)],
    ['BR-O-11', !isNotSubject || subtotals.every(({ code }) => code === 'O')],
    ['BR-O-12', !isNotSubject || lines.every(({ code }) => code === 'O')],
    ['BR-CO-14', sum(root, 'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount').eq(firstTotal(root))],
  ]
}

/** The VAT of the document, which is the total with a breakdown. */
const firstTotal = (root: Node): Big =>
  sum(
    root.children.find(({ name }) => name === 'cac:TaxTotal'),
    'cbc:TaxAmount',
  )
