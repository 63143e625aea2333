import * as z from 'zod/mini'

/** How much of `quote` one of `base` is, as it was published; exact decimals. */
export type PublishedRates = {
  readonly publishedOn: string
  readonly source: string
  readonly rates: readonly { readonly base: string; readonly quote: string; readonly rate: string }[]
}

const published = z.iso.date()
const oneRate = /<Rate currency="([A-Z]{3})"(?: multiplier="(\d{1,5})")?>(\d{1,8}\.\d{1,8})<\/Rate>/g

/** Reads what the National Bank of Romania publishes each banking day at about 13:00 (nbrfxrates.xml). */
export function readBnr(text: string): PublishedRates {
  const publishedOn = z.parse(published, /<Cube date="([^"]+)">/.exec(text)?.[1])
  const rates = [...text.matchAll(oneRate)]
    // Rates for a hundred of a currency are of none that accounts are kept in.
    .filter(([, , multiplier]) => multiplier === undefined)
    .map(([, base = '', , rate = '']) => ({ base, quote: 'RON', rate }))
  if (rates.length === 0) throw new Error('There are no rates in this.')
  return { publishedOn, source: 'bnr', rates }
}

/** The newest rates of the National Bank of Romania. Rejects when they cannot be read. */
export async function bnrRates(): Promise<PublishedRates> {
  const answer = await fetch('https://www.bnr.ro/nbrfxrates.xml', { signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) throw new Error(`BNR answered ${answer.status}.`)
  return readBnr(await answer.text())
}
