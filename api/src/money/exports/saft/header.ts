import type { Period } from '#money/exports/accounting-file.ts'
import type { Buyer, Seller } from '#money/invoices/documents/document.ts'
import type { ValueOf } from './elements.ts'
import { type auditFile, version } from './schema.ts'

type Header = ValueOf<typeof auditFile>['Header']
type Address = Header['Company']['Address']

/** The address of a party. Romanian counties have codes; other regions have none that the tax office knows. */
export const placeOf = (party: Seller | Buyer, kind: Address['AddressType']): Address => ({
  StreetName: party.address1,
  AdditionalAddressDetail: 'address2' in party ? party.address2 : null,
  City: party.city,
  PostalCode: party.zip_code,
  Region: party.county_code,
  Country: party.country,
  AddressType: kind,
})

const monthOf = (day: string): string => String(Number(day.slice(5, 7)))

/** The header of a file; `made` is the moment of the export. */
export const headerOf = (seller: Seller, { from, to }: Period, made: string): Header => ({
  AuditFileVersion: version,
  AuditFileCountry: 'RO',
  AuditFileDateCreated: made.slice(0, 10),
  SoftwareCompanyName: 'Portico',
  SoftwareID: 'Portico',
  SoftwareVersion: '1',
  Company: {
    RegistrationNumber: seller.vat_number ?? seller.tax_number,
    Name: seller.name,
    Address: placeOf(seller, 'StreetAddress'),
    Contact: {
      // The schema's way to state a name that is not taken apart.
      ContactPerson: { FirstName: 'NotUsed', LastName: seller.name },
      Telephone: (seller.phone ?? '').replaceAll(/\s/g, ''),
      Email: seller.email,
    },
    BankAccount: { IBANNumber: (seller.iban ?? '').replaceAll(/\s/g, '') },
  },
  DefaultCurrencyCode: 'RON',
  SelectionCriteria: {
    PeriodStart: monthOf(from),
    PeriodStartYear: from.slice(0, 4),
    PeriodEnd: monthOf(to),
    PeriodEndYear: to.slice(0, 4),
  },
  HeaderComment: monthOf(from) === monthOf(to) ? 'L' : 'T',
  SegmentIndex: '1',
  TotalSegmentsInsequence: '1',
  TaxAccountingBasis: 'A',
})
