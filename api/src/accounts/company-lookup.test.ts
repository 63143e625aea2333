import { expect, test } from 'vitest'
import type { VatOffice } from '#money/invoices/vat/vat-office.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { readAddress } from './company-lookup.ts'

const calls: string[] = []
let status: 'valid' | 'unavailable' = 'valid'
const vatOffice: VatOffice = async (number) => {
  calls.push(number)
  const known = number === 'DE811569869'
  return {
    status: known || status === 'unavailable' ? status : 'invalid',
    reference: null,
    name: 'Muster GmbH\r\nBcc: all@example.com',
    address: 'Musterstraße 5\n10115 Berlin',
    source: 'test',
  }
}
const portal = await testPortal({ vatOffice })
const { pool } = portal
const idOf = async (code: string) =>
  (await pool.kysely.selectFrom('countries').select('id').where('code', '=', code).executeTakeFirstOrThrow())
    .id

const ask = async (who: Account, country: string, vat_number: string) => {
  const payload = encodeURIComponent(JSON.stringify({ country_id: await idOf(country), vat_number }))
  return portal.as(who).get(`/api/v1/client-entities/-actions/lookupCompany?payload=${payload}`)
}

test('a number brings the name and address of its company, and saves nothing', async () => {
  const ana = await makeAccount(pool)
  const answer = await ask(ana, 'DE', ' de 811 569 869 ')
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    200,
    {
      vat_number: 'DE811569869',
      company_name: 'Muster GmbH Bcc: all@example.com',
      address1: 'Musterstraße 5',
      city: 'Berlin',
      zip_code: '10115',
    },
  ])
  const entity = await portal.as(ana).get('/api/v1/client-entities')
  expect(entity.list[0]?.attributes).toMatchObject({ company_name: null, city: 'Cluj-Napoca' })
})

test.each([
  ['US', 'DE811569869'],
  ['DE', 'http://169.254.169.254/'],
  ['DE', 'DE811569869/../../x'],
  ['DE', '@localhost:5432'],
  ['FR', 'DE811569869'],
  ['DE', 'DE000000000'],
])('does not look up the invalid number %s %s', async (country, number) => {
  calls.length = 0
  const answer = await ask(await makeAccount(pool, { projects: 0, panels: 0 }), country, number)
  // Input without letters or digits is no number, so it is not sent to the tax office.
  expect(
    [400, 404].includes(answer.status) || (answer.status === 200 && calls.join() === 'DE811569869'),
  ).toBe(true)
  expect(calls.every((one) => /^[A-Z]{2}[A-Z0-9]+$/.test(one))).toBe(true)
})

test('an office that does not answer is reported as such, and repeated look-ups are throttled', async () => {
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  status = 'unavailable'
  expect((await ask(ana, 'DE', 'DE811569869')).status).toBe(503)
  status = 'valid'
  for (let n = 1; n < 10; n++) expect((await ask(ana, 'DE', 'DE811569869')).status).toBe(200)
  expect((await ask(ana, 'DE', 'DE811569869')).status).toBe(429)
  expect((await portal.nobody.get('/api/v1/client-entities/-actions/lookupCompany')).status).toBe(401)
})

test.each([
  ['Musterstraße 5\n10115 Berlin', 'Musterstraße 5', 'Berlin', '10115'],
  ['12 RUE DE LA PAIX\n75002 PARIS', '12 RUE DE LA PAIX', 'PARIS', '75002'],
  ['KEIZERSGRACHT 00123\n1015CJ AMSTERDAM', 'KEIZERSGRACHT 00123', 'AMSTERDAM', '1015CJ'],
  ['UL. DŁUGA 1\n00-238 WARSZAWA', 'UL. DŁUGA 1', 'WARSZAWA', '00-238'],
  ['MUN. BUCUREŞTI SECTOR 2\nSTR. LUNGĂ NR. 5', 'MUN. BUCUREŞTI SECTOR 2, STR. LUNGĂ NR. 5', null, null],
  [null, null, null, null],
])('%j is read as an address', (text, address1, city, zip_code) => {
  expect(readAddress(text)).toEqual({ address1, city, zip_code })
})
