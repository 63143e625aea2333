import { speakAs } from '../texts/locale.ts'
import { store } from './store.ts'

export const languages = ['en', 'ro'] as const
export type Language = (typeof languages)[number]

/** Each language's own name. */
export const languageNames: Record<Language, string> = { en: 'English', ro: 'Română' }

/** The ids of the portal's language table, which has no JSON:API type. */
export const languageIds: Record<Language, number> = { en: 1, ro: 2 }

const isLanguage = (text: string): text is Language => text === 'en' || text === 'ro'

const current = store<Language>('en')
speakAs(current.get)

/** The current language of texts, and a hook for components that must follow it. */
export const language = current.get
export const useLanguage = current.use

/** The one of two texts that is in the current language. */
export const inLanguage = (en: string, ro: string): string => (current.get() === 'ro' ? ro : en)

/**
 * Starts with the language of the document, which the server chose (by the cookie, else by Accept-Language).
 */
export function startLanguage(text: string): void {
  if (isLanguage(text)) current.set(text)
}

/** Whether a language was chosen in this browser; otherwise the account's applies. */
export const hasChosenLanguage = (): boolean => /(?:^|; )lang=/.test(document.cookie)

/** Changes the language at once and stores it in this browser, so that the next page is served in it. */
export function setLanguage(text: string): void {
  if (!isLanguage(text)) return
  // A cookie and not localStorage: the server chooses the page by it. The Cookie Store API is missing in older browsers.
  // biome-ignore lint/suspicious/noDocumentCookie: see above.
  document.cookie = `lang=${text}; path=/; max-age=31536000; samesite=lax`
  document.documentElement.lang = text
  if (text !== current.get()) current.set(text)
}
