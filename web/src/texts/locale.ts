let chosen = (): string => 'en'

/** The language that texts come in now. */
export const locale = (): string => chosen()

/** Lets somebody else say the language, each time that a text is read. */
export function speakAs(choose: () => string): void {
  chosen = choose
}

const rules = new Map<string, Intl.PluralRules>()

/** The form that a number asks for in the language of now: `one`, `few` or `other`. */
export function pluralOf(count: number): Intl.LDMLPluralRule {
  const language = locale()
  const rule = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, rule)
  return rule.select(count)
}
