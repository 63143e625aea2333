import { type RawBuilder, sql } from 'kysely'

type Sentence = { readonly en: string; readonly ro: string }

/** The notes that the SQL functions of usage leave, by code; `{name}` stands for a parameter. */
const sentences: Readonly<Record<string, Sentence>> = {
  price_changed: {
    en: 'Another price counts for {meter}: {amount} instead of {was} {currency}.',
    ro: 'Se aplică alt preț pentru {meter}: {amount} în loc de {was} {currency}.',
  },
  charged_more: {
    en: '{amount} {currency} more by data that came after the day was charged.',
    ro: 'Cu {amount} {currency} mai mult, din date sosite după ce ziua a fost decontată.',
  },
  charged_less: {
    en: '{amount} {currency} less by data that came after the day was charged.',
    ro: 'Cu {amount} {currency} mai puțin, din date sosite după ce ziua a fost decontată.',
  },
  charged_early: {
    en: 'Charged before all data of the day had come; what comes later is charged when it does.',
    ro: 'Decontată înainte să fi sosit toate datele zilei; ce sosește mai târziu se decontează atunci.',
  },
}

/** A sentence with the parameters of its row filled in. */
const filled = (sentence: string): RawBuilder<string> =>
  sql`concat(${sql.join(
    sentence
      .split(/\{(\w+)\}/)
      .map((part, at) => (at % 2 === 0 ? sql.lit(part) : sql`usage_notes.params ->> ${sql.lit(part)}`)),
  )})`

const cases = (language: keyof Sentence) =>
  Object.entries(sentences).map(
    ([code, sentence]) => sql`when ${sql.lit(code)} then ${filled(sentence[language])}`,
  )

/** A note in one language; one without a code was written by staff, or before there were codes, and is its own text. */
export const noteIn = (language: keyof Sentence) =>
  sql<string>`case usage_notes.code ${sql.join(cases(language), sql` `)} else ${sql.ref(`usage_notes.note_${language}`)} end`
