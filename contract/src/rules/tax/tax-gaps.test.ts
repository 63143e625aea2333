import { expect, test } from 'vitest'
import { taxGapsOf } from './tax-gaps.ts'

const seller = (country: string, more = {}) => ({ country, registered: true, destination: true, ...more })
const all = { home: true, members: true }

test.each([
  ['a seller in the EU', seller('RO'), all, ['elsewhere_untaxed']],
  ['one who is not registered', seller('RO', { registered: false }), all, []],
  [
    'a member state without a rate',
    seller('RO'),
    { home: true, members: false },
    ['member_rate_unknown!', 'elsewhere_untaxed'],
  ],
  [
    'below the threshold',
    seller('RO', { destination: false }),
    { home: true, members: false },
    ['elsewhere_untaxed'],
  ],
  [
    'Britain without a rate and without OSS',
    seller('GB', { destination: false }),
    { home: false, members: true },
    ['home_rate_unknown!', 'union_scheme_missing!', 'home_rules_simple', 'elsewhere_untaxed'],
  ],
  ['Switzerland with both', seller('CH'), all, ['home_rules_simple', 'elsewhere_untaxed']],
  ['the United States', seller('US', { registered: false }), { home: false, members: true }, ['sales_tax']],
])('%s', (_, one, known, gaps) => {
  expect(taxGapsOf(one, known).map(({ code, stops }) => (stops ? `${code}!` : code))).toEqual(gaps)
})
