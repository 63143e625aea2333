import type { Buyer, DocumentData, Seller } from '#money/invoices/documents/document.ts'
import { words } from '#money/invoices/documents/words.ts'
import { breakable, type Content, quiet } from './styles.ts'

const sector = /^SECTOR([1-6])$/

function address(party: Seller | Buyer, locale: DocumentData['locale']): string[] {
  const second = 'address2' in party ? party.address2 : null
  // Electronic invoices require a spelling of Bucharest's sectors that nobody uses in print.
  const city = party.city.replace(sector, 'Sector $1')
  const place = [party.zip_code, city].filter(Boolean).join(' ')
  const county = party.county_name ?? ('state' in party ? party.state : null)
  const country = locale === 'ro' ? party.country_ro : party.country_en
  return [party.address1, second, [place, county].filter(Boolean).join(', '), country].filter(
    (text) => text !== null && text !== '',
  ) as string[] // Nulls are filtered out.
}

/** The seller or the buyer of a document. */
export function partyOf(title: string, party: Seller | Buyer, { locale }: DocumentData): Content {
  const say = words[locale]
  const numbers = [
    party.vat_number && `${say.vatNumber}: ${party.vat_number}`,
    'tax_number' in party && party.vat_number === null && `${say.taxNumber}: ${party.tax_number}`,
    'registration_number' in party &&
      party.registration_number &&
      `${say.taxNumber}: ${party.registration_number}`,
    party.commerce_code && `${say.register}: ${party.commerce_code}`,
    'phone' in party && party.phone,
    party.email,
  ].filter((text) => typeof text === 'string' && text !== '')
  return {
    stack: [
      { text: title, style: 'label' },
      { text: breakable(party.name, 20), bold: true, margin: [0, 2, 0, 2] },
      ...address(party, locale).map((text) => ({ text: breakable(text, 20) })),
      // The remaining values are texts.
      ...(numbers as string[]).map((text) => ({ text: breakable(text, 20), color: quiet })),
    ],
  }
}
