import { expect, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const countries = await db.selectFrom('countries').selectAll().execute()
const counties = await db
  .selectFrom('counties')
  .innerJoin('countries', 'countries.id', 'counties.country_id')
  .select(['counties.code', 'counties.name', 'countries.code as country'])
  .execute()

const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'

test('has the 249 entries of ISO 3166-1, and Kosovo', () => {
  expect(countries).toHaveLength(250)
  expect(countries.filter(({ code }) => code === 'XK')).toMatchObject([{ name: 'Kosovo', dial_code: '383' }])
})

test('names every country once in each language', () => {
  for (const key of ['code', 'name', 'name_ro'] as const)
    expect(new Set(countries.map((country) => country[key])).size, key).toBe(countries.length)
})

test('writes Romanian with letters that have a comma below, composed', () => {
  const names = [...countries.map(({ name_ro }) => name_ro), ...counties.map(({ name }) => name)]
  expect(names.filter((name) => /[şţŞŢ]/.test(name))).toEqual([])
  expect(names.filter((name) => name !== name.normalize('NFC') || name !== name.trim())).toEqual([])
  expect(names).toEqual(
    expect.arrayContaining(['Elveția', 'Țările de Jos', 'Bistrița-Năsăud', 'Timiș', 'Iași']),
  )
})

test('knows the members of the European Union and how their VAT numbers begin', () => {
  const members = countries.filter(({ is_eu }) => is_eu)
  expect(
    members
      .map(({ code }) => code)
      .sort()
      .join(' '),
  ).toBe(union)
  for (const { code, vat_prefix } of members) expect(vat_prefix).toBe(code === 'GR' ? 'EL' : code)
  expect(countries.filter(({ is_eu, vat_prefix }) => !is_eu && vat_prefix !== null)).toEqual([])
})

test.each([
  ['RO', '40'],
  ['US', '1'],
  ['DO', '1'],
  ['KZ', '7'],
  ['GB', '44'],
  ['VA', '39'],
  ['AQ', '672'],
])('dials %s by %s', (code, dial) => {
  expect(countries.find((country) => country.code === code)?.dial_code).toBe(dial)
})

test('has the 42 counties of Romania by ISO 3166-2', () => {
  expect(counties).toHaveLength(42)
  expect(new Set(counties.map(({ name }) => name)).size).toBe(42)
  expect(counties.every(({ code, country }) => country === 'RO' && /^RO-[A-Z]{1,2}$/.test(code))).toBe(true)
  expect(counties.find(({ code }) => code === 'RO-B')?.name).toBe('București')
})

test('sorts names as the readers of each language do', async () => {
  const sorted = async (column: 'name' | 'name_ro') =>
    (await db.selectFrom('countries').select(column).orderBy(column).execute()).map((row) => row[column])
  const english = await sorted('name')
  expect(english.indexOf('Åland Islands')).toBeLessThan(english.indexOf('Albania'))
  const romanian = await sorted('name_ro')
  expect(romanian.indexOf('Țările de Jos')).toBe(romanian.findIndex((name) => name > 'U' && name < 'V') - 1)
})
