import Big from 'big.js'
import type { Node } from './xml.ts'

/** The elements at a path below an element, such as `cac:Party/cac:PostalAddress`. */
export function at(from: Node | undefined, path: string): Node[] {
  let found = from ? [from] : []
  for (const name of path.split('/'))
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  return found
}

const normal = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim()

/** Their texts, with spaces as a reader of XML normalises them. */
export const texts = (from: Node | undefined, path: string): string[] =>
  at(from, path).map(({ text }) => normal(text))

/** The first of their texts; '' without one. */
export const text = (from: Node | undefined, path: string): string => texts(from, path)[0] ?? ''

const decimal = (written: string): Big => new Big(/^-?\d+(\.\d+)?$/.test(written) ? written : 0)

/** Their sum. */
export const sum = (from: Node | undefined, path: string): Big =>
  texts(from, path).reduce((all, one) => all.plus(decimal(one)), new Big(0))

/** A VAT category on a line or in the breakdown. */
export type Category = { readonly code: string; readonly percent: Big | null; readonly net: Big }

/** A row of the VAT breakdown. */
export type Subtotal = Category & { readonly vat: Big; readonly why: boolean }

const percentOf = (from: Node): Big | null =>
  at(from, 'cbc:Percent').length === 0 ? null : decimal(text(from, 'cbc:Percent'))

/** The fields that the VAT rules check. */
export function readVat(root: Node): {
  readonly lines: readonly Category[]
  readonly subtotals: readonly Subtotal[]
} {
  const lines = [...at(root, 'cac:InvoiceLine'), ...at(root, 'cac:CreditNoteLine')].flatMap((line) =>
    at(line, 'cac:Item/cac:ClassifiedTaxCategory').map((category) => ({
      code: text(category, 'cbc:ID'),
      percent: percentOf(category),
      net: sum(line, 'cbc:LineExtensionAmount'),
    })),
  )
  const subtotals = at(root, 'cac:TaxTotal/cac:TaxSubtotal').flatMap((subtotal) =>
    at(subtotal, 'cac:TaxCategory').map((category) => ({
      code: text(category, 'cbc:ID'),
      percent: percentOf(category),
      net: sum(subtotal, 'cbc:TaxableAmount'),
      vat: sum(subtotal, 'cbc:TaxAmount'),
      why:
        at(category, 'cbc:TaxExemptionReason').length + at(category, 'cbc:TaxExemptionReasonCode').length > 0,
    })),
  )
  return { lines, subtotals }
}
