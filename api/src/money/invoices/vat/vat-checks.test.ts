import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { advanceFor } from '#money/invoices/invoices.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { canBeVatNumber, checkVat, recheckVat } from './vat-checks.ts'
import { readVies, recordedOffice, viesOffice } from './vat-office.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const asked: [string, string | null][] = []
const vatOffice: ReturnType<typeof recordedOffice> = (number, requester) => {
  asked.push([number, requester])
  return recordedOffice(['DE123456788', 'EL094014201', 'FR40303265045'])(number, requester)
}
let hans: Account

beforeEach(async () => {
  asked.length = 0
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  hans = await makeAccount(pool, { projects: 1, panels: 0 })
})

async function answers() {
  const rows = await db
    .selectFrom('vat_checks')
    .selectAll()
    .where('client_id', '=', hans.id)
    .orderBy('id')
    .execute()
  return rows.map(({ vat_number, status, source }) => [vat_number, status, source])
}
const checking = () => checkVat({ pool, vatOffice }, hans.id)

test.each([
  ['DE', '123 456 788', 'DE123456788'],
  ['DE', 'de-123456788', 'DE123456788'],
  ['GR', '094014201', 'EL094014201'],
  ['MC', '40 303 265 045', 'FR40303265045'],
])(
  'of a company in %s, %s is asked for as %s, in the name of the operator',
  async (country, vatNumber, plain) => {
    await makeBuyer(pool, hans, { country, vatNumber })
    await checking()
    expect(asked).toEqual([[plain, 'RO12345674']])
    expect(await answers()).toEqual([[plain, 'valid', 'recorded']])
  },
)

test('invalid numbers, numbers of persons and of unsupported countries are not checked', async () => {
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456789' })
  await checking()
  expect(await answers()).toEqual([['DE123456789', 'invalid', 'shape']])
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788', company: false })
  await checking()
  await makeBuyer(pool, hans, { country: 'CH', vatNumber: 'CHE123456788' })
  await checking()
  expect(asked).toEqual([])
  expect(await answers()).toHaveLength(1)
})

/** Whether a check of the company is queued at a moment. */
async function due(now: string): Promise<boolean> {
  await businessTime(pool, now)
  await sql`select graphile_worker.force_unlock_workers(array['x'])`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await recheckVat(db)
  const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db)
  return rows.some(({ key }) => key === `vat.check:${hans.id}`)
}

const answering =
  (status: 'valid' | 'invalid' | 'unavailable'): ReturnType<typeof recordedOffice> =>
  async () => ({ status, reference: null, name: null, address: null, source: 'vies' })
const answered = (status: 'valid' | 'invalid' | 'unavailable') =>
  checkVat({ pool, vatOffice: answering(status) }, hans.id)

test('numbers are asked about again before their proof is too old, and when there was no answer', async () => {
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
  expect(await due('2026-11-20T10:00:00Z')).toBe(true)
  await checking()
  expect(await due('2026-11-20T10:00:00Z')).toBe(false)
  expect(await due('2026-12-16T10:00:00Z')).toBe(true)
})

test('an unanswered check is repeated six hours later, and not before', async () => {
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
  await answered('unavailable')
  expect(await due('2026-11-20T15:00:00Z')).toBe(false)
  expect(await due('2026-11-20T16:30:00Z')).toBe(true)
})

test('an invalid number is asked about each day for 30 days, and each week after that', async () => {
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
  await answered('invalid')
  expect(await due('2026-11-21T09:00:00Z')).toBe(false)
  expect(await due('2026-11-21T10:30:00Z')).toBe(true)
  await businessTime(pool, '2026-12-20T09:00:00Z')
  await answered('invalid')
  expect(await due('2026-12-21T09:30:00Z')).toBe(false)
  expect(await due('2026-12-27T08:00:00Z')).toBe(false)
  expect(await due('2026-12-27T09:30:00Z')).toBe(true)
  // Another invalid answer after a valid one is the first of new 30 days.
  await answered('valid')
  await businessTime(pool, '2027-01-10T09:00:00Z')
  await answered('invalid')
  expect(await due('2027-01-11T09:30:00Z')).toBe(true)
})

test('a company in Monaco has a French number, and reverse charge once it is checked', async () => {
  await makeBuyer(pool, hans, { country: 'MC', vatNumber: 'FR40303265045', zip: '98000' })
  const treatment = async () => {
    const { ruling } = await advanceFor(db, { clientId: hans.id, sum: { net: '100' } })
    return [ruling.decision.treatment, ruling.decision.country, ruling.decision.rate]
  }
  expect(await treatment()).toEqual(['destination', 'FR', '20'])
  expect(await due('2026-11-20T10:00:00Z')).toBe(true)
  await checking()
  expect(await treatment()).toEqual(['reverse_charge', 'RO', '0'])
})

test('a number that cannot be one is not asked about again', async () => {
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456789' })
  await checking()
  expect(await due('2027-06-20T10:00:00Z')).toBe(false)
})

test('a number that is not valid any more is an alert, until it is', async () => {
  const alerts = async () => {
    const found = await db
      .selectFrom('staff_alerts')
      .select(['detail', 'resolved_at'])
      .where('kind', '=', 'vat_number_invalid')
      .where('about', '=', `client ${hans.id}`)
      .execute()
    return found.map(({ detail, resolved_at }) => [detail, resolved_at !== null])
  }
  await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
  await answered('invalid')
  expect(await alerts()).toEqual([])
  await answered('valid')
  await answered('unavailable')
  await answered('invalid')
  const detail = { client_id: hans.id, vat_number: 'DE123456788' }
  expect(await alerts()).toEqual([[detail, false]])
  await answered('valid')
  expect(await alerts()).toEqual([[detail, true]])
})

test('check digits are looked at', () => {
  expect(['DE123456788', 'RO14399840', 'ATU13585627'].map(canBeVatNumber)).toEqual([true, true, true])
  expect(['DE123456789', 'RO14399841', 'XX1', ''].map(canBeVatNumber)).toEqual([false, false, false, false])
})

test.each([
  [
    { valid: true, requestIdentifier: 'WAPI1', name: '---', address: 'Berlin' },
    { status: 'valid', reference: 'WAPI1', name: null, address: 'Berlin' },
  ],
  [
    { valid: false, requestIdentifier: '' },
    { status: 'invalid', reference: null },
  ],
  [{ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }, { status: 'unavailable' }],
  [null, { status: 'unavailable' }],
  ['<html>', { status: 'unavailable' }],
])('VIES saying %j means %j', (body, meaning) => {
  expect(readVies(body)).toMatchObject(meaning)
})

test('an answer of VIES that is huge or redirects is none, and what it says can be kept', async () => {
  const { fetch } = globalThis
  let reply: Response | Error = Response.json({ valid: true })
  let redirect: RequestRedirect | undefined
  globalThis.fetch = async (_, init) => {
    redirect = init?.redirect
    if (reply instanceof Error) throw reply
    return reply
  }
  try {
    reply = Response.json({ valid: true, name: 'A'.repeat(70_000) })
    expect(await viesOffice('DE123456788', null)).toMatchObject({ status: 'unavailable' })
    reply = new Response('{"valid":true')
    expect(await viesOffice('DE123456788', null)).toMatchObject({ status: 'unavailable' })
    reply = new TypeError('fetch failed', { cause: new Error('unexpected redirect') })
    expect(await viesOffice('DE123456788', null)).toMatchObject({ status: 'unavailable' })
    expect(redirect).toBe('error')
    reply = Response.json({
      valid: true,
      name: `Acme\u0000\ud800${'x'.repeat(600)}`,
      address: 'Street 1\nTown',
    })
    const answer = await viesOffice('DE123456788', null)
    expect(answer).toMatchObject({ status: 'valid', address: 'Street 1\nTown' })
    await makeBuyer(pool, hans, { country: 'DE', vatNumber: 'DE123456788' })
    await checkVat({ pool, vatOffice: async () => answer }, hans.id)
    expect(await answers()).toEqual([['DE123456788', 'valid', 'vies']])
  } finally {
    globalThis.fetch = fetch
  }
})
