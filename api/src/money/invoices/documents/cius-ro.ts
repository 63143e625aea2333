import Big from 'big.js'
import type { Buyer, DocumentData, Seller } from './document.ts'
import { buyerIds } from './ubl-parties.ts'
import { exemptionOf } from './words.ts'

/** ISO 3166-2:RO (BR-RO-110). */
const counties =
  'AB AG AR B BC BH BN BR BT BV BZ CJ CL CS CT CV DB DJ GJ GL GR HD HR IF IL IS MH MM MS NT OT PH SB SJ SM SV TL TM TR VL VN VS'
    .split(' ')
    .map((code) => `RO-${code}`)

const iso = /^\d{4}-\d{2}-\d{2}$/

/** A VAT number with the prefix of its country. */
const prefixed = /^[A-Z]{2}[0-9A-Z]+$/

type Rule = readonly [rule: string, holds: boolean]

function partyRules(
  party: Seller | Buyer,
  { street, city, sector, county }: { street: string; city: string; sector: string; county: string },
): Rule[] {
  const home = party.country === 'RO'
  return [
    [street, party.address1.trim() !== ''],
    [city, party.city.trim() !== ''],
    [county, !home || counties.includes(party.county_code ?? '')],
    [sector, party.county_code !== 'RO-B' || /^SECTOR[1-6]$/.test(party.city)],
    ['BR-RO-L150', party.address1.length <= 150],
    ['BR-RO-L100', !('address2' in party) || (party.address2 ?? '').length <= 100],
    ['BR-RO-L050', party.city.length <= 50],
    ['BR-RO-L020', (party.zip_code ?? '').length <= 20],
    ['BR-RO-L200', party.name.length <= 200 && party.name.trim() !== ''],
  ]
}

const sum = (amounts: readonly string[]): Big => amounts.reduce((all, one) => all.plus(one), new Big(0))

function amountRules(data: DocumentData): Rule[] {
  const { lines, vat_groups, net, vat, total } = data
  const amounts = [net, vat, total, data.vat_local, ...lines.map((line) => line.net)]
  const close = (a: Big, b: Big) => a.minus(b).abs().lt(1)
  return [
    ['BR-16', lines.length > 0],
    ['BR-27', lines.every((line) => new Big(line.unit_price).gte(0))],
    ['BR-CO-10', sum(lines.map((line) => line.net)).eq(net)],
    ['BR-CO-14', sum(vat_groups.map((group) => group.vat)).eq(vat)],
    ['BR-CO-15', new Big(net).plus(vat).eq(total)],
    [
      'BR-CO-17',
      vat_groups.every((group) => close(new Big(group.net).times(group.rate).div(100), new Big(group.vat))),
    ],
    ['BR-DEC', amounts.every((exact) => new Big(exact).round(2).eq(exact))],
    ['BR-S-05', vat_groups.every(({ category, rate }) => (category === 'S') === new Big(rate).gt(0))],
    ['BR-O-11', new Set(vat_groups.map(({ category }) => category === 'O')).size === 1],
    ...(['AE', 'O'] as const).map(
      (code): Rule => [
        `BR-${code}-10`,
        vat_groups.every((group) => group.category !== code || exemptionOf(data, group) !== undefined),
      ],
    ),
  ]
}

function referenceRules(data: DocumentData): Rule[] {
  const { seller, vat_groups } = data
  const ids = buyerIds(data)
  const reversed = vat_groups.some(({ category }) => category === 'AE')
  const days = [data.issue_date, data.due_date, data.tax_point_date]
  const texts = [data.full_number, data.po_number ?? '', ...data.refers_to.map((one) => one.full_number)]
  return [
    ['BR-RO-010', /[0-9]/.test(data.full_number)],
    ['BR-RO-030', data.currency === 'RON' || seller.country !== 'RO' || data.local_currency === 'RON'],
    ['BR-53', data.currency === data.local_currency || data.fx_rate !== null],
    ['BR-RO-065', seller.tax_number.trim() !== ''],
    ['BR-S-02', vat_groups.every(({ category }) => category === 'O') || seller.vat_number !== null],
    ['BR-AE-02', !reversed || ids.vat !== null],
    ['BR-CO-09', [seller.vat_number, ids.vat].every((number) => number === null || prefixed.test(number))],
    ['BR-RO-120', seller.country !== 'RO' || Boolean(ids.vat ?? ids.legal)],
    ['BR-55', data.kind !== 'credit_note' || data.refers_to.length > 0],
    ['BR-03', days.every((day) => iso.test(day))],
    ['BR-29', data.period_from === null || data.period_to === null || data.period_from <= data.period_to],
    ['BR-RO-L200', texts.every((text) => text.length <= 200)],
    ['BR-RO-L300', (data.notes ?? '').length <= 300],
  ]
}

/**
 * The rules of EN 16931 and CIUS-RO that an electronic invoice would violate, by name; empty when it can be
 * offered. Only offline rules: the tax office checks the rest.
 */
export function brokenRules(data: DocumentData): string[] {
  const rules = [
    ...partyRules(data.seller, {
      street: 'BR-RO-080',
      city: 'BR-RO-090',
      sector: 'BR-RO-100',
      county: 'BR-RO-110',
    }),
    ...partyRules(data.buyer, {
      street: 'BR-RO-081',
      city: 'BR-RO-091',
      sector: 'BR-RO-101',
      county: 'BR-RO-111',
    }),
    ...amountRules(data),
    ...referenceRules(data),
  ]
  return [...new Set(rules.filter(([, holds]) => !holds).map(([rule]) => rule))]
}
