import { escaped } from '#platform/escape.ts'

/** An element: name, content and attributes. Null content and empty elements are left out. */
export type Element =
  | readonly [name: string, content: Content, attributes?: Readonly<Record<string, string>>]
  | null
type Content = string | null | readonly Element[]

// XML 1.0 forbids other control characters, even escaped.
const unfit = /[^\P{Cc}\t\n\r]|[\p{Cs}\uFFFE\uFFFF]/gu

const fitting = (text: string): string => escaped(text.replace(unfit, ''))

/** An element as text; '' when it is empty. */
export function xml(element: Element): string {
  if (element === null) return ''
  const [name, content, attributes = {}] = element
  const inside =
    content === null || typeof content === 'string' ? fitting(content ?? '') : content.map(xml).join('')
  if (inside === '') return ''
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${fitting(value)}"`)
  return `<${name}${said.join('')}>${inside}</${name}>`
}
