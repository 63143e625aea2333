import type pdfmake from 'pdfmake'

/** pdfmake's argument type, derived here because its types are in a package without runtime code. */
export type Definition = Parameters<typeof pdfmake.createPdf>[0]
export type Content = Definition['content']
type Look = {
  readonly bold?: boolean
  readonly fontSize?: number
  readonly color?: string
  readonly margin?: [number, number, number, number]
}

export const ink = '#1b2430'
export const quiet = '#5b6675'
export const accent = '#0f5c4d'
export const hair = '#d5dae1'
export const warning = '#b42318'

export const right = (text: string, look: Look = {}) =>
  ({ text, alignment: 'right', ...look }) satisfies Content

/**
 * A text whose long words, such as e-mail addresses, may break across lines: a word wider than its column
 * would push the next column off the page.
 */
export function breakable(text: string, longest: number): Content {
  if (!text.split(/\s/).some((word) => word.length > longest)) return text
  return text
    .split(/(?<=\s)/)
    .map((word) => (word.length > longest ? { text: word, wordBreak: 'break-all' } : { text: word }))
}
