import { expect, test } from 'vitest'
import { type Choices, codeOf, emptyPlan, onTheWire, planRules, valuesOf } from './plan-values.ts'

const choices: Choices = {
  lists: [
    { code: 'ron', currency: 'RON', default: true, exists: true, required: true },
    { code: 'partners', currency: 'RON', default: false, exists: true, required: false },
  ],
  meters: [{ code: 'traffic_gb', unit: 'GB' }],
  engines: [],
  example: {
    code: 'start',
    name_en: 'Start',
    name_ro: 'Start',
    description_en: '',
    description_ro: '',
    kind: 'web_hosting',
    needs_domain: false,
    limits: {
      servers: null,
      clusters: 0,
      domains: 5,
      mailboxes: null,
      disk_gb: null,
      traffic_gb_month: null,
    },
    fees: [{ list: 'ron', monthly: '37.00' }],
    included: [{ meter: 'traffic_gb', per_day: null }],
    engines: [{ engine: 'simulated', plan: 'standard', regions: [] }],
  },
  plan: null,
  today: '2026-11-20',
}

test.each([
  ['Web 3', 'web-3'],
  ['  Găzduire & e-mail! ', 'gazduire-e-mail'],
  ['计划', ''],
  ['x'.repeat(50), 'x'.repeat(40)],
])('the code of %j is %j', (name, code) => {
  expect(codeOf(name)).toBe(code)
})

test('a plan is the same on the wire after the form, with each list that is offered', () => {
  expect(onTheWire(valuesOf(choices.example, choices))).toEqual({
    ...choices.example,
    fees: [
      { list: 'ron', monthly: '37.00' },
      { list: 'partners', monthly: null },
    ],
  })
})

test('a comma is a point, and an empty field is none', () => {
  const values = valuesOf(emptyPlan(choices), choices)
  const typed = {
    ...values,
    fees: [{ list: 'ron', monthly: ' 8,50 ' }],
    included: [{ meter: 'traffic_gb', per_day: '0,5' }],
    limits: { ...values.limits, servers: ' 2 ', domains: ' ' },
  }
  expect(onTheWire(typed)).toMatchObject({
    fees: [{ monthly: '8.50' }],
    included: [{ per_day: '0.5' }],
    limits: { servers: 2, domains: null },
    engines: choices.example.engines,
  })
})

test.each([
  ['limits', { limits: { ...valuesOf(choices.example, choices).limits, servers: '1.5' } }],
  ['limits', { limits: { ...valuesOf(choices.example, choices).limits, servers: '-1' } }],
  ['fees', { fees: [{ list: 'ron', monthly: '8.505' }] }],
  ['included', { included: [{ meter: 'traffic_gb', per_day: 'all' }] }],
  ['code', { code: 'Web 3' }],
])('what is wrong in %s is found before it is sent', (field, part) => {
  const values = { ...valuesOf(choices.example, choices, 'A reason'), ...part }
  const { error } = planRules.safeParse(values)
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})
