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

let asked: Promise<string | undefined> | undefined

/** The two-letter country of the visitor's IP address according to a public service; requested once. */
export function countryOfAddress(): Promise<string | undefined> {
  asked ??= lookUp().catch(() => undefined)
  return asked
}
