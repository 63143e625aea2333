import { speakAs } from '../texts/locale.ts'
import { store } from './store.ts'

export const languages = ['en', 'ro'] as const
export type Language = (typeof languages)[number]

/** What each language calls itself. */
export const languageNames: Record<Language, string> = { en: 'English', ro: 'Română' }

/** The ids that the portal's language table gives them; it has no JSON:API type of its own. */
export const languageIds: Record<Language, number> = { en: 1, ro: 2 }

const isLanguage = (text: string): text is Language => text === 'en' || text === 'ro'

const current = store<Language>('en')
speakAs(current.get)

/** The language that texts come in now, and the same for a component that must follow it. */
export const language = current.get
export const useLanguage = current.use

/** Starts with the language of the page that the server chose (by the cookie, else by what the browser asks for). */
export function startLanguage(text: string): void {
  if (isLanguage(text)) current.set(text)
}

/** Whether the language of this browser was ever chosen in it; else the account's own counts. */
export const hasChosenLanguage = (): boolean => /(?:^|; )lang=/.test(document.cookie)

/** Changes the language at once and remembers it in this browser, so that the next page comes in it too. */
export function setLanguage(text: string): void {
  if (!isLanguage(text)) return
  // A cookie and not localStorage: the server chooses the page by it. The Cookie Store API is missing in older browsers.
  // biome-ignore lint/suspicious/noDocumentCookie: see above.
  document.cookie = `lang=${text}; path=/; max-age=31536000; samesite=lax`
  document.documentElement.lang = text
  if (text !== current.get()) current.set(text)
}
