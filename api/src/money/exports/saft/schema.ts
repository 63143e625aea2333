import { count, day, decimal, many, optional, parts, text, word } from './elements.ts'

// The elements of SAF-T D406 2.4.9 that the sales part has, in the order of its schema. Elements that the schema has and
// the portal never writes are left out; sections without content are there because the schema demands them.

export const namespace = 'mfp:anaf:dgti:d406:declaratie:v1'
export const version = '2.4.9'

const money = decimal(18, 2)
const percentage = decimal(5, 2)
const nothing = parts({})

const amount = parts({
  /** In lei. */
  Amount: money,
  CurrencyCode: text(3, 3),
  CurrencyAmount: money,
  ExchangeRate: optional(decimal(18, 4)),
})

const address = parts({
  StreetName: optional(text(70)),
  AdditionalAddressDetail: optional(text(70)),
  City: text(35),
  PostalCode: optional(text(18)),
  Region: optional(text(35)),
  Country: text(2, 2),
  AddressType: word('StreetAddress', 'BillingAddress'),
})

const taxInformation = parts({
  TaxType: text(9),
  TaxCode: text(9),
  TaxPercentage: percentage,
  TaxBase: money,
  TaxAmount: amount,
})

const header = parts({
  AuditFileVersion: text(9),
  AuditFileCountry: text(2, 2),
  AuditFileDateCreated: day,
  SoftwareCompanyName: text(70),
  SoftwareID: text(256),
  SoftwareVersion: text(18),
  Company: parts({
    RegistrationNumber: text(35),
    Name: text(256),
    Address: address,
    Contact: parts({
      ContactPerson: parts({ FirstName: text(35), LastName: text(70) }),
      Telephone: text(18),
      Email: optional(text(70)),
    }),
    BankAccount: parts({ IBANNumber: text(35) }),
  }),
  DefaultCurrencyCode: text(3, 3),
  SelectionCriteria: parts({
    PeriodStart: count,
    PeriodStartYear: count,
    PeriodEnd: count,
    PeriodEndYear: count,
  }),
  /** The period of the declaration: a month or a quarter. */
  HeaderComment: word('L', 'T'),
  SegmentIndex: text(9),
  TotalSegmentsInsequence: text(9),
  TaxAccountingBasis: word('A'),
})

export const customer = parts({
  CompanyStructure: parts({ RegistrationNumber: text(35), Name: text(256), Address: address }),
  CustomerID: text(35),
  AccountID: text(70),
  OpeningDebitBalance: money,
  ClosingDebitBalance: money,
})

const taxTableEntry = parts({
  TaxType: text(9),
  Description: text(256),
  TaxCodeDetails: many(
    parts({
      TaxCode: text(9),
      Description: text(256),
      TaxPercentage: percentage,
      BaseRate: decimal(5, 4),
      Country: text(2, 2),
    }),
  ),
})

const product = parts({
  ProductCode: text(70),
  GoodsServicesID: text(9),
  Description: text(256),
  ProductCommodityCode: text(35),
  UOMBase: text(9),
  UOMStandard: text(9),
  UOMToUOMBaseConversionFactor: decimal(18, 0),
})

const invoiceLine = parts({
  LineNumber: text(18),
  AccountID: text(70),
  GoodsServicesID: text(9),
  ProductCode: text(70),
  Quantity: decimal(22, 6),
  InvoiceUOM: text(9),
  UnitPrice: money,
  TaxPointDate: day,
  References: optional(parts({ CreditNote: parts({ Reference: text(35) }) })),
  Description: text(256),
  InvoiceLineAmount: amount,
  DebitCreditIndicator: word('D', 'C'),
  TaxInformation: taxInformation,
})

export const invoice = parts({
  InvoiceNo: text(70),
  CustomerInfo: parts({ CustomerID: text(35), BillingAddress: address }),
  AccountID: text(70),
  InvoiceDate: day,
  InvoiceType: word('380', '381'),
  SelfBillingIndicator: text(9),
  InvoiceLine: many(invoiceLine),
  InvoiceDocumentTotals: parts({
    TaxInformationTotals: many(taxInformation),
    NetTotal: money,
    GrossTotal: money,
  }),
})

export const auditFile = parts({
  Header: header,
  MasterFiles: parts({
    GeneralLedgerAccounts: nothing,
    Customers: parts({ Customer: many(customer) }),
    Suppliers: nothing,
    TaxTable: parts({ TaxTableEntry: many(taxTableEntry) }),
    UOMTable: parts({
      UOMTableEntry: many(parts({ UnitOfMeasure: text(9), Description: text(256) })),
    }),
    AnalysisTypeTable: nothing,
    MovementTypeTable: nothing,
    Products: parts({ Product: many(product) }),
    Owners: nothing,
    Assets: nothing,
  }),
  GeneralLedgerEntries: nothing,
  SourceDocuments: parts({
    SalesInvoices: parts({
      NumberOfEntries: count,
      TotalDebit: money,
      TotalCredit: money,
      Invoice: many(invoice),
    }),
    PurchaseInvoices: nothing,
    Payments: nothing,
    MovementOfGoods: nothing,
  }),
})
