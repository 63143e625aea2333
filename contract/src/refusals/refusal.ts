/** The languages of refusals. */
export type Language = 'en' | 'ro'

/**
 * The HTTP status of a refusal, and its sentence in English and Romanian; `{name}` in a sentence is a
 * parameter.
 */
export type Declared = readonly [status: number, en: string, ro: string]

/** The names of the parameters in a sentence. */
export type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The value of a parameter: the same in every language, or a word in each. */
export type Parameter = string | number | Readonly<Record<Language, string>>

/** The parameters of a declared refusal, by name. */
export type ParametersOf<D extends Declared> = { readonly [Name in NamesIn<D[1]>]: Parameter }

type SameNames<D extends Declared> = [NamesIn<D[1]>, NamesIn<D[2]>] extends [NamesIn<D[2]>, NamesIn<D[1]>]
  ? D
  : readonly [D[0], D[1], 'The two sentences have to name the same parameters.']

/**
 * Declares refusals by their codes. It does not compile when the two sentences of a refusal have different
 * parameters.
 */
export const declare = <const T extends Readonly<Record<string, Declared>>>(
  table: T & { readonly [Code in keyof T]: SameNames<T[Code]> },
): T => table

/**
 * Fills the parameters into a sentence. Words at its beginning get a capital; names and codes stay as they
 * are.
 */
export function fill(
  [, en, ro]: Declared,
  parameters: Readonly<Record<string, Parameter>>,
  language: Language,
): string {
  return (language === 'ro' ? ro : en).replaceAll(/\{(\w+)\}/g, (whole, name: string, at: number) => {
    const value = parameters[name]
    if (typeof value !== 'object') return String(value ?? whole)
    const words = value[language]
    return at === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words
  })
}
