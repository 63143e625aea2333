import { escaped } from '#platform/escape.ts'

/** An element: name, content and attributes. Null content and empty elements are left out. */
export type Element =
  | readonly [name: string, content: Content, attributes?: Readonly<Record<string, string>>]
  | null
type Content = string | null | readonly Element[]

/** An element as a reader finds it: text, or other elements. */
export type Node = {
  readonly name: string
  readonly text: string
  readonly children: readonly Node[]
  readonly attributes: Readonly<Record<string, string>>
}

// XML 1.0 forbids other control characters, even escaped.
const unfit = /[^\P{Cc}\t\n\r]|[\p{Cs}\uFFFE\uFFFF]/gu

/** Text without the characters that XML forbids. */
export const fitting = (text: string): string => text.replace(unfit, '')

/** An element as it is written; null when it is empty. */
export function node(element: Element): Node | null {
  if (element === null) return null
  const [name, content, attributes = {}] = element
  const isText = content === null || typeof content === 'string'
  const text = isText ? fitting(content ?? '') : ''
  const children = isText ? [] : content.flatMap((one) => node(one) ?? [])
  return text === '' && children.length === 0 ? null : { name, text, children, attributes }
}

function written({ name, text, children, attributes }: Node): string {
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(fitting(value))}"`)
  return `<${name}${said.join('')}>${escaped(text)}${children.map(written).join('')}</${name}>`
}

/** An element as text; '' when it is empty. */
export function xml(element: Element): string {
  const found = node(element)
  return found === null ? '' : written(found)
}
