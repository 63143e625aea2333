import { type Brand, plainBrand } from '#platform/brand/brand.ts'
import { escaped } from '#platform/escape.ts'
import { cleaned, sayable } from './clean.ts'
import { htmlOf } from './html.ts'
import type { Letter, LetterKind, LetterLanguage } from './letters.ts'
import { en } from './texts-en.ts'
import { ro } from './texts-ro.ts'
import { brand, type Language, type LetterOf, type Link, type Words } from './words.ts'

export type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

const languages: Record<LetterLanguage, Language> = { en, ro }

function wordsOf<K extends LetterKind>({ letters }: Language, kind: K, letter: LetterOf[K]): Words {
  return letters[kind](letter)
}

/** Makes a path of the portal absolute. Throws for a path that leaves the portal, which would be a bug. */
function absolute(path: string, publicUrl: string): string {
  const url = new URL(path, publicUrl)
  if (!path.startsWith('/') || url.origin !== new URL(publicUrl).origin)
    throw new Error('A letter only links to the portal.')
  return url.href
}

/** `answered`: replies are read. `look`: by default that of the portal as it comes. */
type How = { readonly answered?: boolean; readonly look?: Brand }

/** Renders a letter as plain text and HTML. `publicUrl` makes links absolute. */
export function render(
  given: Letter,
  language: LetterLanguage,
  publicUrl: string,
  { answered = false, look = plainBrand }: How = {},
): Rendered {
  const letter = cleaned(given)
  const speech = languages[language]
  const words = wordsOf(speech, letter.kind, letter)
  const { subject, say, after } = words
  const before = [speech.greeting('name' in letter ? sayable(letter.name) : undefined), ...say]
  const where = 'device' in letter ? speech.where(letter) : undefined
  const led = (to: Link | undefined) => to && { label: to.label, url: absolute(to.path, publicUrl) }
  const [button, other] = [led(words.button), led(words.other)]
  const own = look.letters[language]
  const footer = [speech.footer(new URL(publicUrl).host, answered), ...(own === null ? [] : [own])]
  const { ifButtonFails } = speech
  const [greeting, first, ...more] = before
  const text = [
    greeting,
    first,
    ...(where === undefined ? [] : [where]),
    ...more,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...after,
    ...(other ? [other.url] : []),
    `--\n${footer.join('\n\n')}`,
  ]
  const shown = { subject, before, where, button, after, other, ifButtonFails, footer }
  const html = htmlOf({ language, brand, accent: look.accent, ...shown })
  const named = (said: string, name = look.name) => said.replaceAll(brand, () => name)
  return {
    subject: named(subject),
    text: named(`${text.join('\n\n')}\n`),
    html: named(html, escaped(look.name)),
  }
}
