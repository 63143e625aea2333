import { language } from '../../stores/language.ts'

/** As people name it, with its code: "euro (EUR)". */
export const nameOf = (code: string) => {
  const name = new Intl.DisplayNames(language(), { type: 'currency' }).of(code) ?? code
  return `${name} (${code})`
}
