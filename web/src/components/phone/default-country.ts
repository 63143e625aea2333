import * as addresses from '@portico/contract/calls/addresses.ts'
import { call } from '../../api/call.ts'

/** What the answer says (seed, section 7): `1;US;USA;United States`. */
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
    // biome-ignore lint/suspicious/noConsole: the seed's sentence (section 8); the default country then stays.
    console.error('unable to fetch the country')
    return undefined
  }
}

let asked: Promise<string | undefined> | undefined

/** The two letters of the country that one's address is of, as far as the public service knows; it is asked once. */
export function countryOfAddress(): Promise<string | undefined> {
  asked ??= lookUp().catch(() => undefined)
  return asked
}
