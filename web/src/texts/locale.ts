let chosen = (): string => 'en'

/** The language that texts come in now. */
export const locale = (): string => chosen()

/** Lets somebody else say the language, each time that a text is read. */
export function speakAs(choose: () => string): void {
  chosen = choose
}
