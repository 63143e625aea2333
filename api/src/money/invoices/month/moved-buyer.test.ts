import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator, newSeries } from '#test/support/documents.ts'
import { businessTime, used } from '#test/support/money.ts'
import { closeDueMonth } from './close-run.ts'

// Buyers who move, or change what they are, between the end of a month and its bill. The operator is in Cluj.

const { pool } = await testDatabase()
const db = pool.kysely
let ana: Account

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  await newSeries(pool)
  // Each test has one account to close.
  await sql`update client_entities set city = null`.execute(db)
  await businessTime(pool, '2026-10-03T10:00:00Z')
  ana = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await makeBuyer(pool, ana, { company: false })
})

const german = { country: 'DE', vatNumber: 'DE136695976', city: 'Bonn', zip: '53111' }
const american = { country: 'US', company: false, city: 'Albany', zip: '12207' }

async function topUp(net: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const issued = await issueInvoice(tx, { clientId: ana.id, sum: { net } })
    const [group] = issued.groups
    const vat = group && { amount: group.vat, country: group.country, rate: group.rate }
    const key = `moved:${issued.id}`
    await deposit(tx, {
      key,
      clientId: ana.id,
      currency: 'USD',
      net,
      ...(vat && { vat }),
      means: 'psp:sandbox',
    })
  })
}

const checked = (at = '2026-11-01T00:30:00Z') =>
  sql`insert into vat_checks (client_id, vat_number, status, source, checked_at)
    values (${ana.id}, 'DE136695976', 'valid', 'test', ${at})`.execute(db)

async function closed() {
  await businessTime(pool, '2026-11-01T01:30:00Z')
  await closeDueMonth(db, (_, error) => {
    throw error
  })
  return documents('service_bill')
}

async function documents(reason: string) {
  const rows = await db
    .selectFrom('invoices')
    .select(['kind', 'net', 'vat', 'vat_treatment', 'buyer', 'vat_groups'])
    .where('client_id', '=', ana.id)
    .where('reason', '=', reason)
    .orderBy('id')
    .execute()
  return rows
}

// Midnight in Cluj is at 22:00 in Greenwich until the end of October.
const before = '2026-10-31T21:59:00Z'
const after = '2026-10-31T22:01:00Z'

test('who moves out of the EU after the month has its bill with the VAT and the address of the month', async () => {
  await topUp('100')
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, american)
  expect(await closed()).toMatchObject([
    {
      kind: 'fiscal',
      net: '0.00',
      vat: '0.00',
      vat_treatment: 'domestic',
      buyer: { country: 'RO', city: 'Dej', zip_code: '405200', county_code: 'RO-CJ', company: false },
    },
  ])
  await makeBuyer(pool, ana, { company: false })
  // The only deposit is the one that was paid: nothing is given back.
  expect(await documents('advance')).toMatchObject([{ net: '100.00', vat: '21.00' }])
})

test('who moves to Romania after the month has a bill without VAT', async () => {
  await makeBuyer(pool, ana, american)
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, { company: false })
  expect(await closed()).toMatchObject([
    { net: '100.00', vat: '0.00', vat_treatment: 'outside_eu', buyer: { country: 'US', city: 'Albany' } },
  ])
})

test('who moved within the month is taxed where they were at its end', async () => {
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, before)
  await makeBuyer(pool, ana, american)
  expect(await closed()).toMatchObject([
    { net: '100.00', vat: '0.00', vat_treatment: 'outside_eu', buyer: { country: 'US' } },
  ])
})

test('of several moves the state at the end of the month counts', async () => {
  await makeBuyer(pool, ana, american)
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, '2026-10-20T10:00:00Z')
  await makeBuyer(pool, ana, { ...german, company: false })
  await businessTime(pool, after)
  await makeBuyer(pool, ana, american)
  await makeBuyer(pool, ana, { company: false })
  expect(await closed()).toMatchObject([
    { vat: '19.00', vat_treatment: 'destination', buyer: { country: 'DE', zip_code: '53111' } },
  ])
})

test('a consumer who becomes a company after the month pays the VAT of a consumer', async () => {
  await makeBuyer(pool, ana, { ...german, company: false })
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, german)
  await checked()
  expect(await closed()).toMatchObject([
    { vat: '19.00', vat_treatment: 'destination', buyer: { company: false, vat_number: null } },
  ])
})

test('a company that becomes a consumer after the month has its bill without VAT', async () => {
  await makeBuyer(pool, ana, german)
  await checked('2026-10-20T00:00:00Z')
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, { ...german, company: false })
  expect(await closed()).toMatchObject([
    { vat: '0.00', vat_treatment: 'reverse_charge', buyer: { company: true, vat_number: 'DE136695976' } },
  ])
})

test('the proof of a number may come after the month, and so may the number of a company', async () => {
  await makeBuyer(pool, ana, { country: 'DE', city: 'Bonn', zip: '53111' })
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, german)
  await checked()
  expect(await closed()).toMatchObject([{ vat: '0.00', vat_treatment: 'reverse_charge' }])
})

test('a number that was first given with a later move is none of the month', async () => {
  await makeBuyer(pool, ana, { country: 'AT', city: 'Graz', zip: '8010' })
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, german)
  await checked()
  expect(await closed()).toMatchObject([
    { vat: '20.00', vat_treatment: 'destination', buyer: { country: 'AT', vat_number: null } },
  ])
})

test('an address that is completed or corrected after the month is on its bill', async () => {
  await sql`update client_entities set city = null, zip_code = null where client_id = ${ana.id}`.execute(db)
  await used(db, ana, ['2026-10-05'], '100')
  await businessTime(pool, after)
  await makeBuyer(pool, ana, { company: false, city: 'Gherla' })
  await makeBuyer(pool, ana, { company: false, city: 'Turda' })
  expect(await closed()).toMatchObject([{ vat: '21.00', buyer: { country: 'RO', city: 'Turda' } }])
})
