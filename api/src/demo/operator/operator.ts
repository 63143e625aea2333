import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** VAT numbers in the demo that the recorded tax office confirms. */
export const demoVatNumbers = ['DE123456788', 'RO12345674', 'RO30562140']

/** Companies of the recorded tax office, so that the lookup works in the demo too. */
export const demoCompanies = [
  { number: 'DE811569869', name: 'Nordlicht Studio GmbH', address: 'Musterstraße 5\n10115 Berlin' },
  {
    number: 'RO18547290',
    name: 'ATELIER LUMINA SRL',
    address: 'MUN. BUCUREȘTI SECTOR 2\nSTR. LUNGĂ NR. 5',
  },
]

/**
 * The fictional operator of the demo, with its document series, and recorded rates for each working day
 * around today.
 */
export async function makeDemoOperator(tx: Database): Promise<void> {
  await tx
    .insertInto('operator_profile')
    .values({
      legal_name: 'Carpat Cloud SRL',
      vat_number: 'RO27182818',
      tax_number: '27182818',
      commerce_code: 'J12/2718/2010',
      address1: 'Strada Memorandumului 28',
      city: 'Cluj-Napoca',
      county_code: 'RO-CJ',
      zip_code: '400114',
      country: 'RO',
      email: 'facturi@carpat-cloud.test',
      phone: '+40 264 555 010',
      website: 'carpat-cloud.test',
      iban: 'RO49AAAA1B31007593840000',
      bank_name: 'Banca Demo',
      oss_registered: true,
    })
    .execute()
  await tx
    .insertInto('invoice_series')
    .values([
      { prefix: 'HST', kind: 'fiscal', legal_decision: 'Decizia 1 / 2010' },
      { prefix: 'ST', kind: 'credit_note', legal_decision: 'Decizia 1 / 2010' },
    ])
    .execute()
  await tx.insertInto('proforma_series').values({ prefix: 'PRF' }).execute()
  // From before the demo's history to a distant day; the last rate does not age.
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    select r.base, 'RON', day, r.rate + ((day::date - date '2020-01-01') * 37 % 41 - 20) * 0.0011, 'recorded'
    from (values ('USD', 4.3952), ('EUR', 5.0871)) r (base, rate),
      generate_series(clock_today() - 130, clock_today() + 730, interval '1 day') day
    where extract(isodow from day) < 6`.execute(tx)
}
