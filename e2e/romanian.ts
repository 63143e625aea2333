import { expect, type Page } from '@playwright/test'
import en from '../web/src/texts/en.json' with { type: 'json' }
import { locale, speakAs } from '../web/src/texts/locale.ts'
import ro from '../web/src/texts/ro.json' with { type: 'json' }

/** A text as it reads in Romanian. */
export function inRomanian(text: () => string): string {
  const before = locale()
  speakAs(() => 'ro')
  const said = text()
  speakAs(() => before)
  return said
}

/** Every form of every text: a plain one is itself, one with plurals has several. */
const forms = (texts: object): string[] =>
  Object.values(texts).flatMap((text: string | { match: Record<string, string> }[]) =>
    typeof text === 'string' ? [text] : text.flatMap(({ match }) => Object.values(match)),
  )

/** Whether a text has a word of its own besides its parameters; otherwise it is not recognised. */
const saysSomething = (text: string) => /\p{L}{4}/u.test(text.replaceAll(/\{\w+\}/g, ' '))

/** A pattern of a text with its parameters filled in. */
const pattern = (text: string): string =>
  text
    .trim()
    .split(/\{\w+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.+')

/** English words that no Romanian sentence has, to detect texts that are in no list, such as a library's own. */
const grammar = /\b(?:the|and|your|you|with|this|from|have|was|were|will|cannot|which)\b/i

const romanian = new Set(forms(ro))
const english = new RegExp(
  `^(?:${[...new Set(forms(en))]
    .filter((text) => saysSomething(text) && !romanian.has(text))
    .map(pattern)
    .join('|')})$`,
  's',
)

/** The visible texts and the accessible names of a page. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt']
    const texts: string[] = []
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) =>
        // Skips elements with a language of their own, and code.
        node instanceof Element && node.matches('script, style, code, [lang]')
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_ACCEPT,
    )
    while (walker.nextNode()) {
      const node = walker.currentNode
      if (node instanceof Element) texts.push(...spoken.map((name) => node.getAttribute(name) ?? ''))
      else texts.push(node.textContent ?? '')
    }
    return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '')
  })

/** Nothing on the page is one of the portal's English texts, or reads as English, but what people wrote. */
export async function expectRomanian(
  page: Page,
  what: string,
  written: readonly string[] = [],
): Promise<void> {
  const texts = await textsOf(page)
  const isEnglish = (text: string) => english.test(text) || grammar.test(text)
  // A sentence may quote what somebody wrote; the sentence itself is judged without it.
  const withoutQuotes = (text: string) =>
    written.reduce((rest, quoted) => (quoted === '' ? rest : rest.replaceAll(quoted, '“”')), text)
  const left = texts.filter((text) => isEnglish(text) && isEnglish(withoutQuotes(text)))
  expect
    .soft(
      left.filter((text) => !written.some((whole) => whole.includes(text))),
      what,
    )
    .toEqual([])
}
