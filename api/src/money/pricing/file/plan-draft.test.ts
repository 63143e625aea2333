import { expect, test } from 'vitest'
import { draftIn, withDraft } from './plan-draft.ts'
import type { ListEntry, PlanFile } from './plan-file.ts'

// What a save of the form leaves as it is where price lists differ, which the form does not show.

const open = { from: null, to: null } as const
const disk = (plan: string | null, included_per_day: string) => ({
  meter: 'disk_gb_hours',
  plan,
  kind: '',
  ...open,
  unit_price: '0.0010',
  included_per_day,
  tiers: null,
})
const list = (code: string, isDefault: boolean, included: string, fee: boolean): ListEntry => ({
  code,
  currency: code.slice(0, 3).toUpperCase(),
  default: isDefault,
  fees: fee ? [{ plan: 'web', ...open, monthly: '8.00' }] : [],
  meters: [disk(null, '0'), disk('web', included)],
})
const file: PlanFile = {
  plans: [
    {
      code: 'web',
      name: { en: 'Web', ro: 'Web' },
      description: { en: '', ro: '' },
      kind: 'server',
      needs_domain: false,
      state: 'draft',
      position: 1,
      limits: {},
      engines: [],
    },
  ],
  price_lists: [
    list('usd', true, '100', true),
    list('eur', true, '200', true),
    list('eur-own', false, '300', false),
  ],
}

/** What each list includes in the end, after a save of the form with a change. */
function includedAfter(change: (draft: NonNullable<ReturnType<typeof draftIn>>) => object): unknown[] {
  const draft = draftIn(file, 'web')
  if (!draft) throw new Error('The plan is in the file.')
  return withDraft(file, { ...draft, ...change(draft) }, '2026-11-27').price_lists.map(
    ({ meters }) => meters.find(({ plan, to }) => plan === 'web' && to === null)?.included_per_day,
  )
}

test('a save with another name leaves what each list includes', () => {
  expect(includedAfter(() => ({ name_en: 'Web hosting' }))).toEqual(['100', '200', '300'])
})

test('another quantity counts in every list, and one that is taken out ends', () => {
  expect(includedAfter(() => ({ included: [{ meter: 'disk_gb_hours', per_day: '150' }] }))).toEqual([
    '150',
    '150',
    '150',
  ])
  expect(includedAfter(() => ({ included: [] }))).toEqual([undefined, undefined, undefined])
})
