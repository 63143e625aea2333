import Big from 'big.js'
import * as z from 'zod/mini'
import { failureMessage } from '#platform/errors/failure-message.ts'
import { boundedText } from '#platform/http/connections/bounded-text.ts'

/** A published rate: the price of one `base` in `quote`, as an exact decimal. */
export type PublishedRate = { readonly base: string; readonly quote: string; readonly rate: string }

/** The rates that were published on one day. */
export type PublishedRates = {
  readonly publishedOn: string
  readonly source: string
  readonly rates: readonly PublishedRate[]
}

/** Fetches the rates of the last published days into a currency. Rejects when they cannot be read. */
export type ExchangeRates = (quote: string) => Promise<readonly PublishedRates[]>

const bnrHost = 'https://curs.bnr.ro'
const ecbHost = 'https://www.ecb.europa.eu/stats/eurofxref'

// The larger of the two files has about 150 kB.
const mostBytes = 1_000_000
// Older days apply to no future document.
const mostDays = 10

const published = z.iso.date()

/** A `Cube` of a day or one rate of it; a single pattern, so that a hostile file is read in one pass. */
const bnrPart =
  /<Cube date="(?<day>[\d-]{10})">|<Rate currency="(?<currency>[A-Z]{3})"(?: multiplier="(?<multiplier>\d{1,5})")?>(?<rate>\d{1,8}(?:\.\d{1,8})?)<\/Rate>/g

const ecbPart =
  /<Cube time=["'](?<day>[\d-]{10})["']>|<Cube currency=["'](?<currency>[A-Z]{3})["'] rate=["'](?<rate>\d{1,8}(?:\.\d{1,8})?)["']\/>/g

type Day = { readonly day: string; readonly rates: Map<string, Big> }

/** The last days of a file with their positive rates, oldest first. */
function daysIn(text: string, part: RegExp): Day[] {
  const days: Day[] = []
  for (const { groups } of text.matchAll(part)) {
    const { day, currency, multiplier, rate } = groups ?? {}
    if (day !== undefined) days.push({ day: z.parse(published, day), rates: new Map() })
    // Rates per hundred units belong to currencies that no account uses.
    else if (currency !== undefined && multiplier === undefined && new Big(rate ?? 0).gt(0))
      days.at(-1)?.rates.set(currency, new Big(rate ?? 0))
  }
  if (!days.some(({ rates }) => rates.size > 0)) throw new Error('The file holds no rates.')
  return days.sort((a, b) => a.day.localeCompare(b.day)).slice(-mostDays)
}

/**
 * Parses the file of the National Bank of Romania, published each banking day at about 13:00: lei for one
 * unit of each currency.
 */
export const readBnr = (text: string): PublishedRates[] =>
  daysIn(text, bnrPart).map(({ day, rates }) => ({
    publishedOn: day,
    source: 'bnr',
    rates: [...rates].map(([base, rate]) => ({ base, quote: 'RON', rate: rate.toFixed() })),
  }))

/**
 * Parses the file of the European Central Bank, published each banking day at about 16:00, units of each
 * currency for one euro, as rates into `quote`: directly for the euro, else the cross rate by the euro of the
 * same day.
 */
export function readEcb(text: string, quote: string): PublishedRates[] {
  return daysIn(text, ecbPart).map(({ day, rates }) => {
    const forOneEuro = new Map(rates).set('EUR', new Big(1))
    const target = forOneEuro.get(quote)
    if (target === undefined) throw new Error(`The European Central Bank publishes no rate for ${quote}.`)
    const others = [...forOneEuro].filter(([base]) => base !== quote)
    return {
      publishedOn: day,
      source: 'ecb',
      rates: others.map(([base, rate]) => ({
        base,
        quote,
        rate: target.div(rate).round(6, Big.roundHalfUp).toFixed(),
      })),
    }
  })
}

/** Fetches a file as text, up to the size limit. Its failures are sentences, which staff read. */
async function fetchText(url: string): Promise<string> {
  // A redirect leads to a web page, as it did when the files of BNR moved to another host.
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch(
    (cause: unknown) => {
      throw new Error(`${new URL(url).host} cannot be reached: ${failureMessage(cause)}`, { cause })
    },
  )
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`)
  return boundedText(answer, mostBytes)
}

/**
 * The official rates by HTTP: those of the National Bank of Romania into lei, of the European Central Bank
 * into any other currency. `mirror` serves both files where the portal cannot reach the banks.
 */
export const officialRates =
  (mirror?: string): ExchangeRates =>
  async (quote) =>
    quote === 'RON'
      ? readBnr(await fetchText(`${mirror ?? bnrHost}/nbrfxrates10days.xml`))
      : readEcb(await fetchText(`${mirror ?? ecbHost}/eurofxref-hist-90d.xml`), quote)
