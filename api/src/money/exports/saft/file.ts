import Big from 'big.js'
import * as z from 'zod/mini'
import type { Period } from '#money/exports/accounting-file.ts'
import { type Buyer, buyer, type Seller } from '#money/invoices/documents/document.ts'
import { builder } from '#platform/db/pool.ts'
import type { SnapshotReader } from '#platform/jsonapi/read/cursor.ts'
import { accounts, productOf, taxCodeOf, taxTypes, unitOf } from './codes.ts'
import type { StreamOf, ValueOf } from './elements.ts'
import { headerOf, placeOf } from './header.ts'
import { document, invoiceOf } from './invoice.ts'
import type { auditFile, customer } from './schema.ts'
import { customers, documents, summary } from './statements.ts'
import { auditFileText } from './writer.ts'

type File = StreamOf<typeof auditFile>
type TaxTableEntry = ValueOf<typeof auditFile>['MasterFiles']['TaxTable']['TaxTableEntry'][number]

const summed = z.object({
  country: z.string(),
  category: z.string(),
  rate: z.string(),
  treatment: z.string(),
  kind: z.string(),
  unit_code: z.string(),
  debit: z.string(),
  credit: z.string(),
  documents: z.int(),
})
type Summed = z.infer<typeof summed>

/** Each of some values once, by what they are called. */
const distinct = <T>(values: readonly T[], name: (value: T) => string): T[] => [
  ...new Map(values.map((value) => [name(value), value])).values(),
]

function taxTableOf(rows: readonly Summed[]): TaxTableEntry[] {
  const found = rows.flatMap((row) => {
    const tax = taxCodeOf(row)
    return tax ? [{ ...tax, rate: row.rate, country: row.country }] : []
  })
  const taxes = distinct(found, ({ code, rate, country }) => [code, rate, country].join(' '))
  return distinct(taxes, ({ type }) => type).map(({ type }) => ({
    TaxType: type,
    Description: taxTypes[type],
    TaxCodeDetails: taxes
      .filter((tax) => tax.type === type)
      .map(({ code, text, rate, country }) => ({
        TaxCode: code,
        Description: text,
        TaxPercentage: rate,
        // Nothing of the tax of sales is left out by a proportion.
        BaseRate: '1',
        Country: country,
      })),
  }))
}

const total = (rows: readonly Summed[], side: 'debit' | 'credit'): string =>
  rows.reduce((sum, row) => sum.plus(row[side]), new Big(0)).toFixed(2)

const compiled = (statement: ReturnType<typeof summary>) => {
  const { sql, parameters } = statement.compile(builder)
  return { sql, values: parameters }
}

const customerRow = z.object({ customer: z.string(), buyer })

const customerOf = (id: string, who: Buyer): ValueOf<typeof customer> => ({
  CompanyStructure: {
    RegistrationNumber: id,
    Name: who.name,
    Address: placeOf(who, 'StreetAddress'),
  },
  CustomerID: id,
  AccountID: accounts.customers,
  // The books of the accountant know the balances in lei.
  OpeningDebitBalance: '0',
  ClosingDebitBalance: '0',
})

async function* customersOf(read: SnapshotReader, period: Period) {
  for await (const row of read(compiled(customers(period)))) {
    const { customer: id, buyer: who } = z.parse(customerRow, row)
    yield customerOf(id, who)
  }
}

async function* invoicesOf(read: SnapshotReader, period: Period) {
  for await (const row of read(compiled(documents(period)))) yield invoiceOf(z.parse(document, row))
}

type Parts = { readonly seller: Seller; readonly period: Period; readonly made: string }

/** The value of a file, whose customers and invoices are read while they are written, in this order. */
function fileOf(read: SnapshotReader, rows: readonly Summed[], { seller, period, made }: Parts): File {
  const units = distinct(rows, ({ unit_code }) => unit_code).map(({ unit_code }) => unitOf(unit_code))
  const products = rows.map(({ kind, unit_code }) => productOf(kind, unit_code))
  return {
    Header: headerOf(seller, period, made),
    MasterFiles: {
      GeneralLedgerAccounts: {},
      Customers: { Customer: customersOf(read, period) },
      Suppliers: {},
      TaxTable: { TaxTableEntry: taxTableOf(rows) },
      UOMTable: {
        UOMTableEntry: units.map(({ code, text }) => ({ UnitOfMeasure: code, Description: text })),
      },
      AnalysisTypeTable: {},
      MovementTypeTable: {},
      Products: { Product: distinct(products, ({ ProductCode }) => ProductCode) },
      Owners: {},
      Assets: {},
    },
    GeneralLedgerEntries: {},
    SourceDocuments: {
      SalesInvoices: {
        NumberOfEntries: String(rows.reduce((sum, row) => sum + row.documents, 0)),
        TotalDebit: total(rows, 'debit'),
        TotalCredit: total(rows, 'credit'),
        Invoice: invoicesOf(read, period),
      },
      PurchaseInvoices: {},
      Payments: {},
      MovementOfGoods: {},
    },
  }
}

const begin = `<?xml version="1.0" encoding="UTF-8"?>
<!-- SAF-T D406: only the sales invoices. To be merged into the declaration of the period; not to be filed alone. -->
`

/** The sales part of SAF-T D406 for a period, as XML, read from one snapshot while it is sent. */
export async function* saftFile(read: SnapshotReader, parts: Parts): AsyncGenerator<string> {
  const rows: Summed[] = []
  for await (const row of read(compiled(summary(parts.period)))) rows.push(z.parse(summed, row))
  yield begin
  yield* auditFileText(fileOf(read, rows, parts))
}
