import type { Buyer, DocumentData, Seller } from './document.ts'
import type { Element } from './xml.ts'

/** The placeholder id of a consumer without a number (CIUS-RO, BR-RO-120). */
const consumerNumber = '0000000000000'

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
      ['cac:Country', [['cbc:IdentificationCode', party.country]]],
    ],
  ]
}

/** The buyer's identifier besides the VAT number. */
const buyerNumber = ({ buyer, seller }: DocumentData): string | null =>
  buyer.commerce_code ?? (buyer.vat_number === null && seller.country === 'RO' ? consumerNumber : null)

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
              ['cbc:ElectronicMail', seller.email],
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
  const vat = notSubject(data) ? null : buyer.vat_number
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
              ['cbc:CompanyID', buyerNumber(data)],
            ],
          ],
          ['cac:Contact', [['cbc:ElectronicMail', buyer.email]]],
        ],
      ],
    ],
  ]
}
