import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

export type { CountryCode } from 'libphonenumber-js/min'
export { isSupportedCountry as isCountry }

/** The maximum length on the wire. */
const longestNumber = 25

export type Country = { code: CountryCode; name: string; dial: string }

/** The countries with phone numbers, sorted by their names in a language. */
export function countriesIn(language: string): Country[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const named = getCountries().map((code) => ({ code, name: names.of(code) ?? code, dial: dialOf(code) }))
  return named.sort((a, b) => a.name.localeCompare(b.name, language))
}

export const dialOf = (country: CountryCode): string => `+${getCountryCallingCode(country)}`

/** The country of a partly typed number, as soon as its first digits determine it. */
export function countryOf(text: string, country: CountryCode): CountryCode {
  if (!text.trim().startsWith('+')) return country
  const typed = new AsYouType()
  typed.input(text)
  const sharing = countriesOf(typed.getCallingCode() ?? '')
  // Several countries share a code; until more digits decide, the current one stays.
  return typed.getCountry() ?? (sharing.includes(country) ? country : (sharing[0] ?? country))
}

function countriesOf(dial: string): readonly CountryCode[] {
  // The library's types lack this method; its first result is the main country of the code.
  const metadata = new Metadata() as unknown as Record<
    'getCountryCodesForCallingCode',
    (dial: string) => CountryCode[] | undefined
  >
  return metadata.getCountryCodesForCallingCode(dial) ?? []
}

const read = (text: string, country: CountryCode): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry: country, extract: false })

/** Whether a text is a number in the international form that `formatted` produces. */
export const isNumber = (text: string): boolean =>
  parsePhoneNumberFromString(text, { extract: false })?.isValid() ?? false

/** A valid number in the international form, with its extension; invalid text stays as typed. */
export function formatted(text: string, country: CountryCode): string {
  const number = read(text, country)
  if (!number?.isValid()) return text
  const { ext } = number
  const plain = read(number.number, country)?.formatInternational() ?? text
  const whole = ext ? `${plain} ext. ${ext}` : plain
  return whole.length <= longestNumber ? whole : text
}

/** The same digits as a number of another country. */
export function movedTo(text: string, from: CountryCode, to: CountryCode): string {
  const digits = read(text, from)?.nationalNumber ?? text.replace(/^\s*\+\d*/, '').trim()
  return formatted(`${dialOf(to)} ${digits}`, to)
}
