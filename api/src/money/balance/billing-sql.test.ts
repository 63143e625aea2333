import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { movedBalance } from '#test/support/money.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const today = '2026-03-10'

test.each<[string, string, string, string | null, [string, string][]?]>([
  ['no use', '40', '0', null],
  ['no use and nothing left', '-40', '0', null],
  ['nothing left', '0', '1', today],
  ['less than nothing', '-0.000001', '1', today],
  ['less than a day', '0.5', '1', today],
  ['a whole day', '1', '1', '2026-03-11'],
  ['days are whole', '41.27', '3.87', '2026-03-20'],
  ['one more millionth of use and it lasts a day less', '10', '1.000001', '2026-03-19'],
  ['five years', '1826', '1', '2031-03-10'],
  ['longer than five years', '1827', '1', null],
  ['longer than anybody lives', '90000000000000', '0.000001', null],
  ['credit that outlasts its use', '10', '1', '2026-03-20', [['2026-03-20', '5']]],
  // Ten of credit end after five days, of which five were spent: five of money are left for five days more.
  ['credit that ends before', '15', '1', '2026-03-20', [['2026-03-15', '10']]],
  ['credit alone that ends before', '10', '1', '2026-03-15', [['2026-03-15', '10']]],
  ['credit that covers a debt and ends', '5', '1', '2026-03-13', [['2026-03-13', '10']]],
  ['credit that has ended and was not taken yet', '12', '1', '2026-03-12', [['2026-03-09', '10']]],
  // Four of the first five end with it; of the second five, which are spent from then on, three.
  [
    'one credit after the other',
    '20',
    '1',
    '2026-03-23',
    [
      ['2026-03-11', '5'],
      ['2026-03-13', '5'],
    ],
  ],
])('the available balance lasts until: %s', async (_, available, daily, until, ending = []) => {
  const ends = ending.map(([on]) => on)
  const credits = ending.map(([, amount]) => amount)
  const { rows } = await sql<{ at: string | null }>`select exhaustion_date(${available}, ${daily}, ${today},
    ${ends}::date[], ${credits}::numeric[]) as at`.execute(db)
  expect(rows[0]?.at).toBe(until)
})

type Account = {
  held: string
  daily?: string
  since?: string
  runsOut?: string
  hold?: string
  suspended?: string
  trialEnds?: string
}

test.each<[string, Account, Record<string, string>]>([
  ['nothing is used', { held: '40' }, {}],
  [
    'in time',
    { held: '10', daily: '0.1', runsOut: '2026-03-20' },
    {
      low: '2026-03-13',
      negative: '2026-03-20',
      warned: '2026-04-04',
      suspended: '2026-04-10',
      terminated: '2026-05-25',
    },
  ],
  [
    'by the amount, which comes first',
    { held: '10', daily: '10', runsOut: '2026-03-11' },
    {
      low: '2026-03-04',
      negative: '2026-03-11',
      warned: '2026-03-11',
      suspended: '2026-03-16',
      terminated: '2026-04-30',
    },
  ],
  [
    'below zero for nine days',
    { held: '-1', since: '2026-03-01' },
    { negative: '2026-03-01', warned: '2026-03-16', suspended: '2026-03-22', terminated: '2026-05-06' },
  ],
  [
    'exactly at the limit of warning',
    { held: '-3', since: '2026-03-01' },
    { negative: '2026-03-01', warned: '2026-03-16', suspended: '2026-03-22', terminated: '2026-05-06' },
  ],
  [
    'just below it, and within the limit of credit',
    { held: '-3.000001', since: '2026-03-01' },
    { negative: '2026-03-01', warned: today, suspended: '2026-03-22', terminated: '2026-05-06' },
  ],
  [
    'beyond the limit of credit',
    { held: '-50.01', since: '2026-03-01' },
    { negative: '2026-03-01', warned: today, suspended: today, terminated: '2026-04-24' },
  ],
  [
    'held by staff',
    { held: '-60', since: '2026-03-01', hold: '2026-04-01' },
    { negative: '2026-03-01', warned: today, suspended: '2026-04-02', terminated: '2026-05-17' },
  ],
  [
    'suspended before',
    { held: '-60', since: '2026-01-01', suspended: '2026-02-01' },
    { negative: '2026-01-01', suspended: '2026-02-01', terminated: '2026-03-18' },
  ],
  ['on trial, unused', { held: '20', trialEnds: '2026-03-12' }, { trial_ends: '2026-03-12' }],
])('the consequences of an unpaid balance: %s', async (_, one, steps) => {
  const { rows } = await sql<{ timeline: { step: string; on: string; reached: boolean }[] }>`
    select dunning_timeline(p, ${today}::date, ${one.held}::numeric, ${one.held}::numeric, ${one.daily ?? '0'}::numeric,
      ${one.since ?? null}::date, ${one.runsOut ?? null}::date, ${one.hold ?? null}::date,
      ${one.suspended ?? null}::date, ${one.trialEnds ?? null}::date) as timeline from billing_policies p`.execute(
    db,
  )
  const timeline = rows[0]?.timeline ?? []
  expect(Object.fromEntries(timeline.map(({ step, on }) => [step, on]))).toEqual(steps)
  expect(timeline.map(({ reached }) => reached)).toEqual(timeline.map(({ on }) => on <= today))
  expect(timeline.map(({ on }) => on)).toEqual(timeline.map(({ on }) => on).sort())
})

test('the one policy can only be set to consistent values', async () => {
  await expect(sql`insert into billing_policies default values`.execute(db)).rejects.toThrow(/duplicate/)
  const refused = (table: string, change: string) =>
    expect(sql.raw(`update ${table} set ${change}`).execute(db), change).rejects.toThrow(/check constraint/)
  for (const change of ['suspend_days = 15', 'low_days = array[-1]'])
    await refused('billing_policies', change)
  for (const change of [
    'credit_limit = 2',
    'warn_below = 1',
    'trial_credit = -1',
    'deposit_least = 0',
    'deposit_most = 4',
    'quick_amounts = array[1]',
    'threshold_usual = 4',
    'recharge_usual = 9',
    'cap_most = 9',
  ])
    await refused('currency_policies', change)
})

test('amounts are those of dollars before, five times so many lei, and as many euros', async () => {
  const { rows } = await sql<{ code: string; amounts: string }>`
    select u.code, concat_ws(' ', q.trial_credit, q.warn_below, q.credit_limit, q.deposit_least, q.deposit_most, q.quick_amounts,
      q.threshold_least, q.threshold_usual, q.recharge_least, q.recharge_usual, q.cap_most) as amounts
    from currency_policies q join currencies u on u.id = q.currency_id order by q.position`.execute(db)
  const dollars =
    '20.00 -3.00 50.00 5.00 10000.00 {20.00,50.00,100.00,200.00} 5.00 15.00 10.00 50.00 100000.00'
  expect(rows).toEqual([
    { code: 'USD', amounts: dollars },
    { code: 'EUR', amounts: dollars },
    {
      code: 'RON',
      amounts:
        '100.00 -15.00 250.00 25.00 50000.00 {100.00,250.00,500.00,1000.00} 25.00 75.00 50.00 250.00 500000.00',
    },
  ])
})

test('an amount changed where only versions of before read it is refused', async () => {
  for (const change of ['credit_limit = 80', 'warn_below = -5', 'trial_credit = 25'])
    await expect(sql.raw(`update billing_policies set ${change}`).execute(db)).rejects.toMatchObject({
      constraint: 'amounts_in_currency_policies',
    })
})

test('a debt counts by the currency that it is in', async () => {
  const [ana, mihai] = [await makeAccount(pool), await makeAccount(pool, { currency: 'RON' })]
  const { rows: days } = await sql<{ today: string }>`select clock_today() as today`.execute(db)
  for (const { id } of [ana, mihai]) await movedBalance(pool, id, '-27.345678', days[0]?.today ?? '')
  const { rows } = await sql<{ held: string; shown: boolean }>`
    select b.currency || ' ' || trim_scale(b.account_balance + b.credit_balance) as held, (b.banner ->> 'show')::boolean as shown
    from billing_profiles b where id in (${ana.id}, ${mihai.id}) order by id`.execute(db)
  expect(rows).toEqual([
    { held: 'USD -5', shown: true },
    { held: 'RON -5', shown: false },
  ])
})
