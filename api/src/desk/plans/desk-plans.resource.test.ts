import { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { PlanFile } from '#money/pricing/file/plan-file.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser } from '#test/support/people.ts'
import { at } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
// Ahead of the calendar, so that the day stays.
const today = '2099-11-20'
beforeEach(() => businessTime(pool, `${today}T08:00:00Z`))
await sql`insert into currencies (code, name, symbol, decimals) values ('HUF', 'Forint', 'Ft', 0)`.execute(db)
const billing = portal.staff(await makeAdmin(pool, 'billing'))

const url = `${base}/desk-plans`
const { previewPlans, publishPlans, file: fileAction } = deskPlans.actions

const fileOf = async (name: 'file' | 'example'): Promise<PlanFile> =>
  JSON.parse(fileAction.output.parse((await billing.get(`${url}/-actions/${name}`)).json).text)
const send = (who: Visitor, text: string) => who.post(`${url}/-actions/previewPlans`, { data: { text } })
const preview = async (file: unknown) =>
  previewPlans.output.parse((await send(billing, JSON.stringify(file))).json)
const publishAs = (who: Visitor, file: unknown, state: string) =>
  who.post(`${url}/-actions/publishPlans`, { data: { text: JSON.stringify(file), state } })
const codes = ({ errors }: Awaited<ReturnType<typeof send>>) =>
  errors.map(({ status, code, detail }) => `${status} ${code}: ${detail}`)
/** The faults that a preview finds, which must be those that publishing refuses. */
async function refusedBoth(file: unknown): Promise<string[]> {
  const { faults, state } = await preview(file)
  const { errors } = await publishAs(billing, file, state)
  expect(errors.map(({ code }) => code)).toEqual(faults.map(({ code }) => code))
  return faults.map(({ detail }) => detail)
}

const list = (file: PlanFile, currency = 'USD') => {
  const found = file.price_lists.find((one) => one.currency === currency)
  if (!found) throw new Error(`There is no list in ${currency}.`)
  return found
}
const plan = (file: PlanFile, code = 'example-basic') => {
  const found = file.plans.find((one) => one.code === code)
  if (!found) throw new Error(`There is no plan ${code}.`)
  return found
}

test('an empty portal takes the example: a preview writes nothing, and what was previewed is published', async () => {
  const example = await fileOf('example')
  const seen = await preview(example)
  expect(seen.faults).toEqual([])
  expect(seen.changes).toContainEqual(
    expect.objectContaining({
      of: 'fee',
      act: 'new',
      list: 'standard',
      plan: 'example-basic',
      becomes: '8.00',
    }),
  )
  expect((await fileOf('file')).plans).toEqual([])

  const done = await publishAs(billing, example, seen.state)
  expect(publishPlans.output.parse(done.json)).toEqual({ changes: seen.total })
  expect((await fileOf('file')).plans).toEqual(example.plans)
  expect((await preview(example)).total).toBe(0)
  const { list: rows } = await billing.get(url)
  expect(rows.map(({ attributes }) => attributes)).toMatchObject([
    {
      code: 'example-basic',
      state: 'offered',
      limits: { domains: 5, servers: null },
      prices: [{ list: 'standard', currency: 'USD', monthly: 8, from: today, next: null }],
    },
    { code: 'example-business' },
  ])
  const offers = await portal.nobody.get(`${base}/plans/-actions/offers?payload[currency]=USD`)
  expect(JSON.stringify(offers.json)).toContain('example-basic')

  const log = await portal
    .staff(await makeAdmin(pool, 'admin'))
    .get(`${base}/staff-actions?filter[verb]=publishPlans`)
  expect(log.list).toHaveLength(1)
  expect(JSON.stringify(log.list)).toContain('standard example-basic fee from 2099-11-20')
  expect(codes(await publishAs(billing, example, (await preview(example)).state))).toEqual([
    '409 plans_unchanged: The file matches the current plans: nothing to change.',
  ])
})

test('what changed since the preview is refused, and so is another text', async () => {
  const file = await fileOf('file')
  plan(file).limits = {}
  const { state } = await preview(file)
  await sql`update plans set position = 7 where code = 'example-business'`.execute(db)
  expect(codes(await publishAs(billing, file, state))[0]).toMatch(/^409 plans_changed_since/)
  const again = await preview(file)
  plan(file).position = 8
  expect(codes(await publishAs(billing, file, again.state))[0]).toMatch(/^409 plans_changed_since/)
})

test('a dearer price waits, and what accounts would have paid is told by currency and by name', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await at(db, '2099-11-21T00:00:00Z', (tx) =>
    sql`update panels set plan_id = (select id from plans where code = 'example-basic') where id = ${ana.panels[0]}`.execute(
      tx,
    ),
  )
  await businessTime(pool, '2099-12-21T08:00:00Z')
  await feedPlans(db)
  await rateUsage(db)
  const file = await fileOf('file')
  const before = list(file).fees
  const dearer = (from: string) => {
    const [first, ...rest] = before
    if (!first) throw new Error('There is no fee.')
    list(file).fees = [{ ...first, to: from }, { ...first, from, monthly: '9.00' }, ...rest]
    return file
  }
  expect(await refusedBoth(dearer('2099-12-01'))).toEqual([
    'standard example-basic fee: what counted on 2099-12-01 cannot change; usage:rerate is for that.',
  ])
  expect(await refusedBoth(dearer('2099-12-21'))).toEqual([
    'standard example-basic fee: another price begins on a day to come.',
  ])
  expect(await refusedBoth(dearer('2100-01-19'))).toEqual([
    'standard example-basic fee: a dearer price begins on 2100-01-20 at the earliest.',
  ])
  const seen = await preview(dearer('2100-01-20'))
  expect(seen).toMatchObject({
    faults: [],
    sums: [{ currency: 'USD', was: '7.827957', becomes: '8.806452', more: 1, less: 0 }],
    clients: [{ client_id: ana.id, currency: 'USD', was: '7.827957', becomes: '8.806452' }],
  })
  expect(seen.changes).toContainEqual(
    expect.objectContaining({ of: 'fee', act: 'changed', from: today, fields: ['to'] }),
  )
  expect((await publishAs(billing, file, seen.state)).status).toBe(200)
  const { list: rows } = await billing.get(url)
  expect(rows[0]?.attributes?.prices).toMatchObject([
    { monthly: 8, next: { monthly: 9, from: '2100-01-20' } },
  ])
})

test.each<[string, (file: PlanFile) => void, RegExp]>([
  [
    'an unknown engine',
    (file) => plan(file).engines.push({ engine: 'none', plan: 'x', regions: [] }),
    /engine none/,
  ],
  [
    'a currency without prices',
    (file) => file.price_lists.push({ code: 'lei', currency: 'RON', default: true, fees: [], meters: [] }),
    /^A price is missing in RON: example-basic /,
  ],
  [
    'a price with parts of a forint',
    (file) =>
      file.price_lists.push({
        code: 'forints',
        currency: 'HUF',
        default: false,
        fees: [{ plan: 'example-basic', from: '2100-01-01', to: null, monthly: '2900.50' }],
        meters: [],
      }),
    /no more decimals than its currency/,
  ],
  ['a lower limit', (file) => Object.assign(plan(file), { limits: { domains: 1 } }), /only rise/],
  ['a plan that is a draft again', (file) => Object.assign(plan(file), { state: 'draft' }), /no draft again/],
  [
    'two default lists',
    (file) => file.price_lists.push({ ...list(file), code: 'other', fees: [], meters: [] }),
    /one default price list/,
  ],
  [
    'a list in another currency',
    (file) => Object.assign(list(file), { currency: 'EUR' }),
    /keeps its currency/,
  ],
  [
    'two prices at once',
    (file) => {
      const [fee] = list(file).fees
      if (fee) list(file).fees.push({ ...fee, from: '2100-05-01', to: null, monthly: '7.00' })
      list(file).fees.push({ plan: 'example-basic', from: '2100-06-01', to: null, monthly: '7.00' })
    },
    /two prices count on/,
  ],
  [
    'neither a price nor tiers',
    (file) => {
      const [price] = list(file).meters
      list(file).meters.push({
        ...(price ?? list(file).meters[0]),
        meter: 'cpu_hours',
        plan: null,
        kind: 'server',
        from: '2100-01-01',
        to: null,
        unit_price: null,
        included_per_day: '0',
        tiers: null,
      })
    },
    /cannot keep a value/,
  ],
])('%s is refused by the preview and by publishing', async (_, change, words) => {
  const file = await fileOf('file')
  change(file)
  expect((await refusedBoth(file))[0]).toMatch(words)
})

test('a list that is not the default any more needs another where accounts are kept', async () => {
  const file = await fileOf('file')
  Object.assign(list(file), { default: false })
  expect((await refusedBoth(file)).length).toBeGreaterThan(0)
})

test.each<[string, RegExp, string]>([
  ['plan_file_not_json', /line 3/, '{\n "plans": [],\n oops }'],
  ['plan_file_not_json', /line 1/, '{"plans": ['],
  ['plan_file_value', /^In the file: /, '[]'],
  ['plan_file_value', /extra/, '{"plans": [], "price_lists": [], "extra": 1}'],
  ['plan_file_value', /^In plans\.0\.code: /, '{"plans": [{"code": "Bad Code"}], "price_lists": []}'],
  ['plan_file_too_large', /5 MB/, 'x'.repeat(5 * 1024 * 1024 + 1)],
])('a text is refused with its place: %s %s', async (code, words, text) => {
  const { status, errors } = await send(billing, text)
  expect(status).toBe(422)
  expect(errors[0]).toMatchObject({ code, detail: expect.stringMatching(words) })
  expect(errors[0]?.source).toEqual({ pointer: '/data/text' })
})

test('values that no database keeps, and codes that are there twice, are refused as values', async () => {
  const file = await fileOf('file')
  const hostile: ((one: PlanFile) => void)[] = [
    (one) => Object.assign(plan(one), { name: { en: 'a\0b', ro: 'x' } }),
    (one) => Object.assign(plan(one), { name: { en: '\ud800', ro: 'x' } }),
    (one) => Object.assign(plan(one), { position: 2 ** 40 }),
    (one) => Object.assign(plan(one), { limits: { domains: 2 ** 40 } }),
    (one) => Object.assign(list(one).fees[0] ?? {}, { from: '2100-01-02', to: '2100-01-01' }),
    (one) => Object.assign(list(one).fees[0] ?? {}, { monthly: '1e9' }),
    (one) => Object.assign(list(one).meters[0] ?? {}, { tiers: [{ unit_price: 'many' }] }),
  ]
  for (const change of hostile) {
    const one = structuredClone(file)
    change(one)
    expect(codes(await send(billing, JSON.stringify(one)))[0]).toMatch(/^422 plan_file_value/)
  }
  const twice = structuredClone(file)
  twice.plans.push(plan(twice))
  const engine = { engine: 'simulated', plan: 'x', regions: ['eu', 'eu'] }
  Object.assign(plan(twice), { engines: [engine] })
  list(twice).fees.push(...list(twice).fees)
  expect(codes(await send(billing, JSON.stringify(twice)))).toEqual(
    expect.arrayContaining([
      '422 plan_file_twice: plans.2: it is in the file twice.',
      '422 plan_file_twice: plans.0.engines.0.regions.1: it is in the file twice.',
    ]),
  )
})

test('billing and administrators publish, readers of money read, and nobody else finds it', async () => {
  const file = await fileOf('file')
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  for (const who of [portal.nobody, client])
    for (const answer of [
      await who.get(url),
      await who.get(`${url}/-actions/file`),
      await send(who, '{}'),
      await publishAs(who, file, ''),
    ])
      expect(answer.status).toBe(404)
  const statuses = async (role: 'support' | 'readonly' | 'admin') => {
    const who = portal.staff(await makeAdmin(pool, role))
    const { page } = await who.get(url)
    const asked = [
      await who.get(`${url}/-actions/file`),
      await send(who, JSON.stringify(file)),
      await publishAs(who, file, 'other'),
    ]
    return [page.total, ...asked.map(({ status }) => status)]
  }
  expect(await statuses('support')).toEqual([0, 403, 403, 403])
  expect(await statuses('readonly')).toEqual([2, 200, 403, 403])
  expect(await statuses('admin')).toEqual([2, 200, 200, 409])

  const member = await makeMember(pool, 'billing')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  const payload = { data: { text: JSON.stringify(file), state: '' } }
  const answer = await browser.ask({ method: 'POST', url: `${url}/-actions/publishPlans`, headers, payload })
  expect(answer.json().errors?.[0].code).toBe('recent_sign_in_required')
})
