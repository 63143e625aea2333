import { escaped } from '#platform/escape.ts'

/** An element: its name, what is in it, and its attributes. What is null is left out, and an element of nothing too. */
export type Element =
  | readonly [name: string, content: Content, attributes?: Readonly<Record<string, string>>]
  | null
type Content = string | null | readonly Element[]

// XML 1.0 has no place for other control characters, not even escaped.
const unfit = /[^\P{Cc}\t\n\r]|[\p{Cs}\uFFFE\uFFFF]/gu

const fitting = (text: string): string => escaped(text.replace(unfit, ''))

/** An element as text; '' when there is nothing in it. */
export function xml(element: Element): string {
  if (element === null) return ''
  const [name, content, attributes = {}] = element
  const inside =
    content === null || typeof content === 'string' ? fitting(content ?? '') : content.map(xml).join('')
  if (inside === '') return ''
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${fitting(value)}"`)
  return `<${name}${said.join('')}>${inside}</${name}>`
}
