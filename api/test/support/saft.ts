import Big from 'big.js'
import { SaxesParser } from 'saxes'
import type { Field, Leaf } from '#money/exports/saft/elements.ts'
import { auditFile, namespace } from '#money/exports/saft/schema.ts'

/** An element of a file, as a reader finds it. */
export type Found = { readonly name: string; readonly children: Found[]; text: string }

/** Reads a file; throws when it is not well-formed or in another namespace. */
export function readSaft(xml: string): Found {
  const parser = new SaxesParser({ xmlns: true })
  const open: Found[] = [{ name: '', children: [], text: '' }]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri }) => {
    if (uri !== namespace) throw new Error(`${local} is in the namespace ${uri}.`)
    const found: Found = { name: local, children: [], text: '' }
    open.at(-1)?.children.push(found)
    open.push(found)
  })
  parser.on('text', (text) => {
    const found = open.at(-1)
    if (found && open.length > 1) found.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  const [root] = open[0]?.children ?? []
  if (!root) throw new Error('The file has no element.')
  return root
}

/** The elements at a path of names below one. */
export const allAt = (found: Found, path: string): Found[] =>
  path
    .split('/')
    .reduce<Found[]>(
      (at, name) => at.flatMap(({ children }) => children.filter((one) => one.name === name)),
      [found],
    )

/** The text of the first element at a path; throws where there is none. */
export function textAt(found: Found, path: string): string {
  const [one] = allAt(found, path)
  if (!one) throw new Error(`${found.name} has no ${path}.`)
  return one.text
}

/** The lines of the sales of a file: the number of their document, their side, and amounts, below zero for debits. */
export const salesLines = (file: Found) =>
  allAt(file, 'SourceDocuments/SalesInvoices/Invoice').flatMap((invoice) =>
    allAt(invoice, 'InvoiceLine').map((line) => {
      const side = textAt(line, 'DebitCreditIndicator')
      const signed = (path: string) => new Big(textAt(line, path)).times(side === 'D' ? -1 : 1).toFixed(2)
      return {
        number: textAt(invoice, 'InvoiceNo'),
        side,
        net: signed('InvoiceLineAmount/CurrencyAmount'),
        net_local: signed('InvoiceLineAmount/Amount'),
        vat: signed('TaxInformation/TaxAmount/CurrencyAmount'),
        vat_local: signed('TaxInformation/TaxAmount/Amount'),
      }
    }),
  )

const digitsOf = (decimal: string): [digits: number, fraction: number] => {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.')
  return [`${whole.replace(/^0+/, '')}${fraction}`.length, fraction.length]
}

function leafFault(leaf: Leaf, text: string): boolean {
  const length = [...text].length
  switch (leaf.kind) {
    case 'text':
      return length < leaf.least || length > leaf.most
    case 'word':
      return !leaf.words.includes(text)
    case 'count':
      return !/^\d+$/.test(text)
    case 'day':
      return !/^\d{4}-\d{2}-\d{2}$/.test(text)
    case 'decimal': {
      const [digits, fraction] = digitsOf(text)
      return !/^-?\d+(\.\d+)?$/.test(text) || digits > leaf.digits || fraction > leaf.fraction
    }
  }
}

/** Takes the elements that a field may be from the front of a list. */
function taken(name: string, field: Field, left: Found[]): { found: Found[]; of: Field; isWanted: boolean } {
  if (field.kind === 'optional') return { ...taken(name, field.of, left), isWanted: false }
  const of = field.kind === 'many' ? field.of : field
  const found: Found[] = []
  while (left[0]?.name === name && (field.kind === 'many' || found.length === 0))
    found.push(...left.splice(0, 1))
  return { found, of, isWanted: field.kind !== 'many' }
}

function faultsOf(path: string, field: Field, found: Found): string[] {
  if (field.kind !== 'parts') {
    if (field.kind === 'optional' || field.kind === 'many') return [`${path} is declared twice`]
    return found.children.length > 0 || leafFault(field, found.text) ? [`${path}: ${found.text}`] : []
  }
  const left = [...found.children]
  const faults = Object.entries(field.parts).flatMap(([name, part]) => {
    const { found: some, of, isWanted } = taken(name, part, left)
    const missing = isWanted && some.length === 0 ? [`${path}/${name} is missing`] : []
    return [...missing, ...some.flatMap((one) => faultsOf(`${path}/${name}`, of, one))]
  })
  return [...faults, ...left.map(({ name }) => `${path}/${name} is out of place`)]
}

/** What of a file is not as the schema declares it: order, obligation, lengths, digits and words. */
export const schemaFaults = (root: Found): string[] =>
  root.name === 'AuditFile' ? faultsOf('AuditFile', auditFile, root) : [`The root is ${root.name}`]
