import { expect, test } from 'vitest'
import { provesVat, type VatBuyer, type VatDecision, type VatRate, type VatSeller, vatFor } from './vat.ts'

const always = (country: string, rate: string, region = ''): VatRate => ({
  country,
  region,
  from: '2016-01-01',
  until: null,
  rate,
})

const rates: readonly VatRate[] = [
  { ...always('RO', '19'), until: '2025-08-01' },
  { ...always('RO', '21'), from: '2025-08-01' },
  { ...always('EE', '22'), until: '2025-07-01' },
  { ...always('EE', '24'), from: '2025-07-01' },
  always('AT', '20'),
  always('AT', '19', 'kleinwalsertal'),
  always('DE', '19'),
  always('ES', '21'),
  always('FI', '25.5'),
  always('FR', '20'),
  always('GR', '24'),
  always('HU', '27'),
  always('IT', '22'),
  always('PT', '23'),
  always('PT', '16', 'azores'),
  always('PT', '22', 'madeira'),
]

const today = '2026-11-20'
const oss: VatSeller = { country: 'RO', registered: true, destination: true }
const small: VatSeller = { ...oss, destination: false }
const unregistered: VatSeller = { ...oss, registered: false }
const german: VatSeller = { ...oss, country: 'DE' }
const swiss: VatSeller = { ...oss, country: 'CH' }

const person = (country: string, zipCode = '1000'): VatBuyer => ({
  country,
  zipCode,
  company: false,
  vatNumber: null,
  proof: null,
})
const company = (country: string, zipCode = '1000'): VatBuyer => ({
  ...person(country, zipCode),
  company: true,
  vatNumber: `${country}123456788`,
})
/** A company whose number an office confirmed or rejected, on a day. */
const checked = (country: string, checkedOn: string, valid = true, zipCode = '1000'): VatBuyer => {
  const one = company(country, zipCode)
  return { ...one, proof: { vatNumber: one.vatNumber ?? '', valid, checkedOn } }
}

const standard = (treatment: VatDecision['treatment'], country: string, rate: string): VatDecision => ({
  treatment,
  country,
  category: 'S',
  rate,
})
const domestic = (rate: string, country = 'RO') => standard('domestic', country, rate)
const destination = (country: string, rate: string) => standard('destination', country, rate)
const origin = (rate: string) => standard('origin', 'RO', rate)
const free = (treatment: VatDecision['treatment'], category: 'AE' | 'O' = 'O'): VatDecision => ({
  treatment,
  country: 'RO',
  category,
  rate: '0',
})
const reversed = free('reverse_charge', 'AE')
const abroad = free('outside_eu')
const special = free('special_territory')

test.each<[string, VatSeller, VatBuyer, string, VatDecision | null]>([
  ['a consumer at home', oss, person('RO'), today, domestic('21')],
  ['a company at home', oss, company('RO'), today, domestic('21')],
  [
    'a company at home with a proven number is no reverse charge',
    oss,
    checked('RO', today),
    today,
    domestic('21'),
  ],
  ['at home on the day of the new rate', oss, person('RO'), '2025-08-01', domestic('21')],
  ['at home the day before', oss, person('RO'), '2025-07-31', domestic('19')],
  ['at home long before', oss, company('RO'), '2020-01-01', domestic('19')],
  ['an advance under the old rate', oss, company('RO'), '2025-07-20', domestic('19')],
  ['the use of it under the new one', oss, company('RO'), '2025-08-31', domestic('21')],
  ['at home before any rate is known', oss, person('RO'), '2015-12-31', null],
  ['at home though under the threshold', small, person('RO'), today, domestic('21')],

  ['a company elsewhere in the EU, proven today', oss, checked('DE', today), today, reversed],
  ['proven 30 days ago', oss, checked('DE', '2026-10-21'), today, reversed],
  ['proven 31 days ago is not proven', oss, checked('DE', '2026-10-20'), today, destination('DE', '19')],
  ['proven only tomorrow', oss, checked('DE', '2026-11-21'), today, destination('DE', '19')],
  ['answered that it is not valid', oss, checked('DE', today, false), today, destination('DE', '19')],
  ['never asked, or no answer', oss, company('DE'), today, destination('DE', '19')],
  [
    'another number than the one proven',
    oss,
    { ...checked('DE', today), vatNumber: 'DE999999999' },
    today,
    destination('DE', '19'),
  ],
  [
    'a number taken off the account',
    oss,
    { ...checked('DE', today), vatNumber: null },
    today,
    destination('DE', '19'),
  ],
  [
    'a proven number of a consumer',
    oss,
    { ...checked('DE', today), company: false },
    today,
    destination('DE', '19'),
  ],
  ['a proven company under the threshold', small, checked('DE', today), today, reversed],
  ['an unproven company under the threshold', small, company('DE'), today, origin('21')],
  ['a proven Greek company', oss, checked('GR', today), today, reversed],
  ['a proven company in Madeira', oss, checked('PT', today, true, '9000-001'), today, reversed],

  ['a consumer in Germany', oss, person('DE'), today, destination('DE', '19')],
  ['in Hungary', oss, person('HU'), today, destination('HU', '27')],
  ['in Finland, with half a percent', oss, person('FI', '00100'), today, destination('FI', '25.5')],
  ['in Estonia before its change', oss, person('EE'), '2025-06-30', destination('EE', '22')],
  ['in Estonia after it', oss, person('EE'), '2025-07-01', destination('EE', '24')],
  ['in a country whose rate is missing', oss, person('SE'), today, null],
  ['under the threshold', small, person('DE'), today, origin('21')],
  ['under the threshold before the new rate', small, person('DE'), '2025-07-31', origin('19')],
  ['under the threshold, in a region with a rate', small, person('PT', '9000-001'), today, origin('21')],
  ['Monaco is France', oss, person('MC', '98000'), today, destination('FR', '20')],

  ['a consumer in Switzerland', oss, person('CH'), today, abroad],
  ['a company in the United States', oss, company('US', '10001'), today, abroad],
  ['the United Kingdom', oss, person('GB', 'SW1A 1AA'), today, abroad],
  ['Moldova', small, company('MD'), today, abroad],
  ['Martinique under its own code', oss, person('MQ', '97200'), today, abroad],
  ['Åland under its own code', oss, person('AX', '22100'), today, abroad],

  ['the Canary Islands', oss, person('ES', '35001'), today, special],
  ['a proven company there', oss, checked('ES', today, true, '38002'), today, special],
  ['Ceuta', oss, person('ES', '51001'), today, special],
  ['Madrid', oss, person('ES', '28001'), today, destination('ES', '21')],
  ['Heligoland', oss, person('DE', '27498'), today, special],
  ['Büsingen', oss, person('DE', 'D-78266'), today, special],
  ['Livigno', oss, person('IT', '23041'), today, special],
  ['Réunion', oss, person('FR', '97400'), today, special],
  ['New Caledonia', oss, person('FR', '98800'), today, special],
  ['Åland with Finland', oss, person('FI', 'AX-22100'), today, special],
  ['Mount Athos', oss, person('GR', '630 86'), today, special],
  ['the Azores', oss, person('PT', '9500-321'), today, destination('PT', '16')],
  ['Madeira', oss, person('PT', 'PT-9000-001'), today, destination('PT', '22')],
  ['Lisbon', oss, person('PT', '1100-148'), today, destination('PT', '23')],
  ['Mittelberg', oss, person('AT', '6993'), today, destination('AT', '19')],
  ['Vienna', oss, person('AT', '1010'), today, destination('AT', '20')],

  ['a Swiss seller without a Swiss rate, at home', swiss, person('CH'), today, null],
  ['a Swiss seller in Germany by OSS', swiss, person('DE'), today, destination('DE', '19')],
  [
    'a Swiss seller without OSS has no threshold',
    { ...swiss, destination: false },
    person('DE'),
    today,
    null,
  ],
  ['a proven company of a Swiss seller', swiss, checked('DE', today), today, { ...reversed, country: 'CH' }],
  ['not registered, at home', unregistered, person('RO'), today, free('not_registered')],
  ['not registered, a proven company', unregistered, checked('DE', today), today, free('not_registered')],
  ['not registered, outside the EU', unregistered, person('US'), today, free('not_registered')],

  ['a German operator at home', german, person('DE'), today, domestic('19', 'DE')],
  [
    'a German operator, the island at home',
    german,
    person('DE', '27498'),
    today,
    { ...special, country: 'DE' },
  ],
  ['a German operator, a Romanian consumer', german, person('RO'), today, destination('RO', '21')],
])('%s', (_, seller, buyer, on, decision) => {
  expect(vatFor({ seller, buyer, on, rates })).toEqual(decision)
})

test('proof may come after the supply, and is to be fresh when it is decided', () => {
  const on = '2026-10-31'
  const decided = (buyer: VatBuyer) => vatFor({ seller: oss, buyer, on, decidedOn: '2026-11-01', rates })
  expect(decided(checked('DE', '2026-11-01'))).toEqual(reversed)
  expect(decided(checked('DE', '2026-10-01'))).toEqual(destination('DE', '19'))
})

test('an answer about a number proves nothing without one', () => {
  expect(provesVat(null, 'DE123456788', today)).toBe(false)
  expect(provesVat({ vatNumber: 'DE1', valid: true, checkedOn: today }, 'DE1', today)).toBe(true)
})

test('Liechtenstein is taxed with Switzerland, and the Isle of Man with Britain', () => {
  const sale = { on: today, rates: [...rates, always('CH', '8.1'), always('GB', '20')] }
  const british = { ...swiss, country: 'GB' }
  expect(vatFor({ ...sale, seller: swiss, buyer: person('LI', '9490') })).toEqual(domestic('8.1', 'CH'))
  expect(vatFor({ ...sale, seller: british, buyer: person('IM', 'IM1 1AA') })).toEqual(domestic('20', 'GB'))
  expect(vatFor({ ...sale, seller: british, buyer: person('CH') })).toEqual({ ...abroad, country: 'GB' })
})
