import type { Buyer, DocumentData, Seller } from './document.ts'
import type { Element } from './xml.ts'

/** The placeholder id of a buyer without a number (CIUS-RO, BR-RO-120). */
const noNumber = '0000000000000'

/** Whether the sale is not subject to VAT: then the document may hold no VAT number (BR-O-02). */
const notSubject = ({ vat_groups }: DocumentData): boolean =>
  vat_groups.some(({ category }) => category === 'O')

/** The scheme of VAT in identifiers and categories. */
export const scheme: Element = ['cac:TaxScheme', [['cbc:ID', 'VAT']]]

function addressOf(party: Seller | Buyer): Element {
  return [
    'cac:PostalAddress',
    [
      ['cbc:StreetName', party.address1],
      ['cbc:AdditionalStreetName', 'address2' in party ? party.address2 : null],
      ['cbc:CityName', party.city],
      ['cbc:PostalZone', party.zip_code],
      ['cbc:CountrySubentity', party.county_code ?? ('state' in party ? party.state : null)],
      // Kosovo has no code in ISO 3166; EN 16931 knows it by this one.
      ['cac:Country', [['cbc:IdentificationCode', party.country === 'XK' ? '1A' : party.country]]],
    ],
  ]
}

/**
 * The buyer's VAT number (BT-48) and legal registration (BT-47). Without the first, the tax office delivers by
 * the second: then it is the tax number, or the placeholder of a buyer without any.
 */
function buyerIds(data: DocumentData): { readonly vat: string | null; readonly legal: string | null } {
  const { vat_number, registration_number, commerce_code, country } = data.buyer
  const vat = notSubject(data) ? null : vat_number
  if (vat !== null) return { vat, legal: commerce_code }
  const tax = registration_number ?? (country === 'RO' ? vat_number?.replace(/^RO/, '') : vat_number)
  return { vat, legal: tax ?? commerce_code ?? (data.seller.country === 'RO' ? noNumber : null) }
}

/** BR-RO-L100: an address may be longer than the invoice may state, which does not need it. */
const statedEmail = ({ email }: { readonly email: string | null }): string | null =>
  email !== null && [...email].length <= 100 ? email : null

/** The seller of an electronic invoice. */
export function sellerOf(data: DocumentData): Element {
  const { seller } = data
  const vat = notSubject(data) ? null : seller.vat_number
  return [
    'cac:AccountingSupplierParty',
    [
      [
        'cac:Party',
        [
          addressOf(seller),
          vat === null
            ? [
                'cac:PartyTaxScheme',
                [
                  ['cbc:CompanyID', seller.tax_number],
                  ['cac:TaxScheme', [['cbc:ID', 'TAX']]],
                ],
              ]
            : ['cac:PartyTaxScheme', [['cbc:CompanyID', vat], scheme]],
          [
            'cac:PartyLegalEntity',
            [
              ['cbc:RegistrationName', seller.name],
              ['cbc:CompanyID', seller.commerce_code ?? seller.tax_number],
            ],
          ],
          [
            'cac:Contact',
            [
              ['cbc:Telephone', seller.phone],
              ['cbc:ElectronicMail', statedEmail(seller)],
            ],
          ],
        ],
      ],
    ],
  ]
}

/** The buyer of an electronic invoice. */
export function buyerOf(data: DocumentData): Element {
  const { buyer } = data
  const { vat, legal } = buyerIds(data)
  return [
    'cac:AccountingCustomerParty',
    [
      [
        'cac:Party',
        [
          addressOf(buyer),
          vat === null ? null : ['cac:PartyTaxScheme', [['cbc:CompanyID', vat], scheme]],
          [
            'cac:PartyLegalEntity',
            [
              ['cbc:RegistrationName', buyer.name],
              ['cbc:CompanyID', legal],
            ],
          ],
          ['cac:Contact', [['cbc:ElectronicMail', statedEmail(buyer)]]],
        ],
      ],
    ],
  ]
}
