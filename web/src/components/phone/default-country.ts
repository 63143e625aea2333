import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../../api/call.ts'

/** Parses the answer of the look-up service: `1;US;USA;United States`. */
function codeIn(answer: string): string {
  if (!answer.startsWith('1')) throw new Error('unable to fetch the country')
  return answer.slice(2, 4).toUpperCase()
}

async function lookUp(): Promise<string | undefined> {
  const { country_lookup: service } = await call(addresses.authConfig, {})
  if (service === null) return undefined
  try {
    return codeIn(await (await fetch(service, { signal: AbortSignal.timeout(5_000) })).text())
  } catch {
    // biome-ignore lint/suspicious/noConsole: the log line is required; the default country then stays.
    console.error('unable to fetch the country')
    return undefined
  }
}

/**
 * The region of the browser's language. American English is what browsers everywhere come with, so it says nothing about
 * where a person is.
 */
function regionOfLanguage(): string | undefined {
  const { region } = new Intl.Locale(navigator.language)
  return region === 'US' ? undefined : region
}

let asked: Promise<string | undefined> | undefined

/** The likely two-letter country of the visitor: by their IP address, else by the language of their browser. */
export const likelyCountry = async (): Promise<string | undefined> =>
  (await countryOfAddress()) ?? regionOfLanguage()

/** The two-letter country of the visitor's IP address according to a public service; requested once. */
export function countryOfAddress(): Promise<string | undefined> {
  asked ??= lookUp().catch(() => undefined)
  return asked
}
