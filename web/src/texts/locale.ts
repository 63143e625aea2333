let chosen = (): string => 'en'

/** The current language of texts. */
export const locale = (): string => chosen()

/** Registers a function that returns the language each time a text is read. */
export function speakAs(choose: () => string): void {
  chosen = choose
}
