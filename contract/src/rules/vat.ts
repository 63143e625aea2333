import { dayMs } from '../time.ts'
/**
 * A standard rate of VAT in percent, from its first day to the day before `until`; `region` is '' for a whole
 * country.
 */
export type VatRate = {
  readonly country: string
  readonly region: string
  readonly from: string
  readonly until: string | null
  readonly rate: string
}

/** The seller's data that VAT depends on. */
export type VatSeller = {
  /** ISO 3166. */
  readonly country: string
  /** Registered for VAT. */
  readonly registered: boolean
  /**
   * Consumers in other EU countries are charged their own country's rate: registered for OSS, or over the
   * threshold.
   */
  readonly destination: boolean
}

/** The latest answer of a tax office about a number. */
export type VatProof = { readonly vatNumber: string; readonly valid: boolean; readonly checkedOn: string }

/** The buyer's data that VAT depends on. */
export type VatBuyer = {
  readonly country: string
  readonly zipCode: string
  readonly company: boolean
  /** With its country prefix. */
  readonly vatNumber: string | null
  readonly proof: VatProof | null
}

export const vatTreatments = [
  'domestic',
  'reverse_charge',
  'destination',
  'origin',
  'outside_eu',
  'special_territory',
  'not_registered',
] as const
export type VatTreatment = (typeof vatTreatments)[number]

/** Categories of EN 16931: standard rate, reverse charge, not subject to VAT. */
export type VatCategory = 'S' | 'AE' | 'O'

/** The taxation of a sale: country, category, and rate in percent (`0` where there is none). */
export type VatDecision = {
  readonly treatment: VatTreatment
  readonly country: string
  readonly category: VatCategory
  readonly rate: string
}

/** Days during which an answer proves that a number is valid. */
export const vatProofDays = 30

/** The members of the EU. */
export const members: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Whether a country is a member of the EU. */
export const inUnion = (country: string): boolean => members.includes(taxCountry(country))

// Monaco counts as France (Directive 2006/112/EC, art. 7), the Isle of Man as Britain, Liechtenstein as Switzerland.
const counted: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB', LI: 'CH' }

/** The country whose VAT a country has. */
export const taxCountry = (country: string): string => counted[country] ?? country

/** The countries whose companies have VAT numbers of the EU: its members, and those that count as one. */
export const unionCodes: readonly string[] = [...members, ...Object.keys(counted).filter(inUnion)]

/**
 * Places in member states outside the Directive's territory (art. 6), by the beginning of their post code.
 */
const outside: Readonly<Record<string, RegExp>> = {
  // The Canary Islands, Ceuta, Melilla.
  ES: /^(35|38|51|52)/,
  // Heligoland, Büsingen.
  DE: /^(27498|78266)$/,
  // Livigno, Campione d'Italia.
  IT: /^(23041|22061)$/,
  // The overseas departments and territories.
  FR: /^(97|98[4678])/,
  // Åland.
  FI: /^22/,
  // Mount Athos.
  GR: /^63086$/,
}

/** Places in member states with their own rate, by the beginning of their post code. */
const regions: Readonly<Record<string, readonly (readonly [codes: RegExp, region: string])[]>> = {
  PT: [
    [/^9[5-9]/, 'azores'],
    [/^9[0-4]/, 'madeira'],
  ],
  // Jungholz and Mittelberg are reached only from Germany.
  AT: [[/^(6691|699[1-3])$/, 'kleinwalsertal']],
}

// People write `PT-9000`, `AX 22100` and `630 86`.
const bareCode = (zipCode: string): string =>
  zipCode
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/^[A-Z]{1,2}(?=[0-9])/, '')

const regionOf = (country: string, zipCode: string): string =>
  regions[country]?.find(([codes]) => codes.test(bareCode(zipCode)))?.[1] ?? ''

/**
 * Whether an answer proves, on a day, that this number is valid: positive, about this number, and at most 30
 * days old.
 */
export function provesVat(proof: VatProof | null, vatNumber: string | null, on: string): boolean {
  if (proof === null || vatNumber === null || !proof.valid || proof.vatNumber !== vatNumber) return false
  const age = (Date.parse(on) - Date.parse(proof.checkedOn)) / dayMs
  return age >= 0 && age <= vatProofDays
}

/** The standard rate of a place on a day; null when it is unknown, because it must not be guessed. */
function rateOf(rates: readonly VatRate[], country: string, region: string, on: string): string | null {
  const found = rates.find(
    (one) =>
      one.country === country &&
      one.region === region &&
      one.from <= on &&
      (one.until === null || on < one.until),
  )
  return found?.rate ?? null
}

/**
 * The seller, the buyer, the day of supply or payment (a UTC or local date, `2026-11-20`), and the known
 * rates.
 */
export type VatCase = {
  readonly seller: VatSeller
  readonly buyer: VatBuyer
  readonly on: string
  /**
   * The day of the decision, where that is later: proof may come after the supply, but must not be older than
   * 30 days then.
   */
  readonly decidedOn?: string | undefined
  readonly rates: readonly VatRate[]
}

/**
 * The taxation of a sale of hosting, an electronically supplied service. Null when the applicable rate is not
 * among `rates`, or when a seller outside the EU has no scheme for a consumer in it. Nothing is zero-rated without a positive answer of a tax office. Directive 2006/112/EC: art.
 * 44 and 196 (companies), 58 and 59c (consumers, the threshold), 6 (territories).
 */
export function vatFor({ seller, buyer, on, decidedOn = on, rates }: VatCase): VatDecision | null {
  const home = taxCountry(seller.country)
  const there = taxCountry(buyer.country)
  const free = (treatment: VatTreatment, category: VatCategory): VatDecision => ({
    treatment,
    country: home,
    category,
    rate: '0',
  })
  const taxed = (treatment: VatTreatment, country: string, zipCode: string): VatDecision | null => {
    const rate = rateOf(rates, country, regionOf(country, zipCode), on)
    return rate === null ? null : { treatment, country, category: 'S', rate }
  }
  if (!seller.registered) return free('not_registered', 'O')
  if (outside[there]?.test(bareCode(buyer.zipCode))) return free('special_territory', 'O')
  if (there === home) return taxed('domestic', home, buyer.zipCode)
  if (!inUnion(there)) return free('outside_eu', 'O')
  if (buyer.company && provesVat(buyer.proof, buyer.vatNumber, decidedOn)) return free('reverse_charge', 'AE')
  if (seller.destination) return taxed('destination', there, buyer.zipCode)
  return inUnion(home) ? taxed('origin', home, '') : null
}

/**
 * Whether a sale is refused because its seller is outside the EU and not registered for OSS: the threshold below which
 * consumers are taxed at home is for sellers in the EU.
 */
export const lacksUnionScheme = (seller: VatSeller, buyerCountry: string): boolean =>
  seller.registered && !seller.destination && !inUnion(seller.country) && inUnion(buyerCountry)
