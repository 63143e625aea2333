import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { canBeVatNumber } from './vat-checks.ts'

const portal = await testPortal()
const db = portal.pool.kysely

type Details = Record<string, string | number | null>

/** A company of a country, and the answer to a change of its billing details. */
async function company(country: string) {
  const owner = await makeAccount(portal.pool)
  const idOf = async (code: string) => {
    const found = await db
      .selectFrom('countries')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
    return found.id
  }
  await sql`update client_entities set account_type = 1, country_id = ${await idOf(country)}, vat_number = null,
    commerce_code = null where client_id = ${owner.id}`.execute(db)
  const { id } = await db
    .selectFrom('client_entities')
    .select('id')
    .where('client_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const save = (attributes: Details, language = 'en') =>
    portal.as(owner).call('PATCH', `${base}/client-entities/${id}`, {
      headers: { 'accept-language': language },
      body: { data: { type: 'client-entities', id: String(id), attributes } },
    })
  const kept = async () => (await portal.as(owner).get(`${base}/client-entities/${id}`)).json
  /** Whether a check of the number is queued; forgets it. */
  const asked = async () => {
    const key = `vat.check:${owner.id}`
    const { rows } =
      await sql`delete from graphile_worker._private_jobs where key = ${key} returning key`.execute(db)
    return rows.length > 0
  }
  return { save, kept, idOf, asked }
}

test.each([
  ['RO', '12345674', 'RO12345674'],
  ['RO', ' ro 123.456-74 ', 'RO12345674'],
  ['DE', 'de 123 456 788', 'DE123456788'],
  ['GR', '094259216', 'EL094259216'],
  ['GR', 'GR094259216', 'EL094259216'],
  ['BE', '1000.000.021', 'BE1000000021'],
  ['MC', '40 303 265 045', 'FR40303265045'],
  ['MC', 'FR40303265045', 'FR40303265045'],
  ['CH', 'che-123.456.788 mwst', 'CHE123456788MWST'],
])('a number of %s typed as %j is kept as %s, and as it was typed', async (country, typed, number) => {
  const { save, kept } = await company(country)
  expect((await save({ vat_number: typed })).status).toBe(200)
  expect(await kept()).toMatchObject({
    data: { attributes: { vat_number: number, vat_number_typed: typed.trim() } },
  })
})

test.each([
  ['RO', '1234567890123', 'RO99999999', 'România'],
  ['DE', '123456789', 'DE999999999', 'Germania'],
  ['FR', 'DE123456788', 'FRXX999999999', 'Franța'],
  ['MC', '123', 'FRXX999999999', 'Monaco'],
])('for %s the number %s is refused with the rule', async (country, vat_number, form, name) => {
  const { save, kept } = await company(country)
  const pointer = '/data/attributes/vat_number'
  const refused = await save({ vat_number })
  expect([refused.status, refused.errors]).toEqual([
    422,
    [
      expect.objectContaining({
        code: 'vat_number_impossible',
        source: { pointer },
        detail: expect.stringContaining(form),
      }),
    ],
  ])
  expect((await save({ vat_number }, 'ro')).errors[0]?.detail).toContain(`pentru ${name} are forma ${form}`)
  expect(await kept()).toMatchObject({ data: { attributes: { vat_number: null } } })
})

test('empty identifiers count as none, and an untouched old number blocks no other change', async () => {
  const { save, kept } = await company('DE')
  await save({ vat_number: 'DE123456788', commerce_code: 'HRB 1' })
  await save({ vat_number: '', commerce_code: '', registration_number: ' ' })
  const none = { vat_number: null, vat_number_typed: null, commerce_code: null, registration_number: null }
  expect(await kept()).toMatchObject({ data: { attributes: none } })
  const { id } = await db
    .selectFrom('client_entities')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await sql`update client_entities set vat_number = 'nonsense' where id = ${id}`.execute(db)
  expect((await save({ city: 'Bonn' })).status).toBe(200)
})

test('a number that is typed or sent again is checked again', async () => {
  const { save, asked } = await company('DE')
  await save({ vat_number: 'DE123456788' })
  expect(await asked()).toBe(true)
  await save({ city: 'Bonn' })
  expect(await asked()).toBe(false)
  await save({ vat_number: 'DE 123 456 788' })
  expect(await asked()).toBe(true)
  await save({ city: 'Berlin', vat_number: 'DE123456788' })
  expect(await asked()).toBe(true)
})

test('another country asks for another number, and a person needs none', async () => {
  const { save, kept, idOf } = await company('DE')
  await save({ vat_number: '123456788' })
  const moved = await save({ country_id: await idOf('AT') })
  expect(moved.errors).toMatchObject([{ code: 'vat_number_impossible' }])
  expect((await save({ country_id: await idOf('AT'), account_type: 2 })).status).toBe(200)
  expect((await save({ vat_number: 'ATU13585627', account_type: 1 })).status).toBe(200)
  expect(await kept()).toMatchObject({ data: { attributes: { vat_number: 'ATU13585627' } } })
})

test('a Romanian company that is not registered for VAT enters its CUI, and no one a CNP', async () => {
  const { save, kept } = await company('RO')
  expect((await save({ registration_number: 'RO 123 456 74' })).status).toBe(200)
  expect(await kept()).toMatchObject({ data: { attributes: { registration_number: '12345674' } } })
  expect((await save({ registration_number: '1960229123456' })).errors).toMatchObject([
    { code: 'registration_number_impossible', source: { pointer: '/data/attributes/registration_number' } },
  ])
})

test('a Belgian number of either beginning is checked by its last two digits', () => {
  expect(['BE1000000021', 'BE0403170701', 'BE1000000022'].map(canBeVatNumber)).toEqual([true, true, false])
})
