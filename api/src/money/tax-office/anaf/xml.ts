import { SaxesParser } from 'saxes'
import { OfficeError } from '#money/tax-office/tax-office.ts'

/** An element near the root: `Invoice/ID`, by local names. */
type Element = {
  readonly path: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

// Only the first three levels are read; the rest of a document is only checked.
const [keptDepth, deepest] = [3, 64]

/** A ZIP of some kilobytes may hold an XML of ten megabytes, of which the parser makes millions of parts. */
const [mostElements, mostAttributes] = [100_000, 32]

/** Throws, by `refuse`, for more parts than an answer has. */
function limitParts(parser: SaxesParser<{ xmlns: true }>, refuse: (what: string) => never): void {
  let [elements, attributes] = [0, 0]
  parser.on('opentagstart', () => {
    elements += 1
    attributes = 0
    if (elements > mostElements) refuse('The XML has too many elements.')
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > mostAttributes) refuse('The XML has too many attributes.')
  })
}

/**
 * The first levels of a well-formed XML, in its order. A document type declaration, which could define entities, and a depth
 * or a number of parts that no invoice has are refused. Throws `OfficeError`.
 */
export function readXml(text: string): readonly Element[] {
  const parser = new SaxesParser<{ xmlns: true }>({ xmlns: true })
  const found: Element[] = []
  const open: { readonly name: string; readonly element: Element | undefined }[] = []
  const refuse = (what: string): never => {
    throw new OfficeError('answer_wrong', null, new Error(what))
  }
  limitParts(parser, refuse)
  parser.on('doctype', () => refuse('The XML has a document type declaration.'))
  parser.on('error', (error) => refuse(error.message))
  parser.on('opentag', ({ local, attributes }) => {
    if (open.length >= deepest) refuse('The XML is too deep.')
    const path = [...open.map(({ name }) => name), local].join('/')
    const values = Object.values(attributes).map(({ local: name, value }) => [name, value] as const)
    const element =
      open.length < keptDepth ? { path, attributes: Object.fromEntries(values), text: '' } : undefined
    if (element) found.push(element)
    open.push({ name: local, element })
  })
  const add = (part: string) => {
    const element = open.at(-1)?.element
    if (element) element.text += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return found
}

/** The text of the first element at a path, or of one of several. */
export const textAt = (elements: readonly Element[], ...paths: readonly string[]): string | undefined =>
  elements.find(({ path }) => paths.includes(path))?.text.trim()

/** An attribute of each element with this local name. */
export const attributesOf = (elements: readonly Element[], name: string, attribute: string): string[] =>
  elements.flatMap(({ path, attributes: { [attribute]: value } }) =>
    path.split('/').at(-1) === name && value !== undefined ? [value] : [],
  )
