import type { PlanDraft } from '@portico/contract/resources/desk-plan-verbs.ts'
import { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { PlanFile } from '#money/pricing/file/plan-file.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
// Ahead of the calendar, so that the day stays.
const today = '2099-11-20'
beforeEach(() => businessTime(pool, `${today}T08:00:00Z`))
await sql`update panel_engines set capabilities = jsonb_set(capabilities, '{plans}', '["standard"]') where is_default`.execute(
  db,
)
const billing = portal.staff(await makeAdmin(pool, 'billing'))

const url = `${base}/desk-plans`
const { draft, addDraft, file: fileAction, previewPlans, publishPlans } = deskPlans.actions

const formOf = async (code?: string) =>
  draft.output.parse(
    (await billing.get(`${url}/-actions/draft${code === undefined ? '' : `?payload[code]=${code}`}`)).json,
  )
const add = (data: object, who: Visitor = billing) => who.post(`${url}/-actions/addDraft`, { data })
const edit = (id: number, data: object, who: Visitor = billing) =>
  who.post(`${url}/${id}/-actions/editDraft`, { data })
const remove = (id: number, who: Visitor = billing) =>
  who.post(`${url}/${id}/-actions/deleteDraft`, { data: {} })
const faults = ({ errors }: Awaited<ReturnType<typeof add>>) =>
  errors.map(({ status, code, source }) => `${status} ${code} ${Object(source).pointer}`)
const fileNow = async (): Promise<PlanFile> =>
  JSON.parse(fileAction.output.parse((await billing.get(`${url}/-actions/file`)).json).text)
const detailsOf = ({ code: _, ...details }: PlanDraft) => details
const listOf = (file: PlanFile, code: string) => {
  const found = file.price_lists.find((one) => one.code === code)
  if (!found) throw new Error(`There is no list ${code}.`)
  return found
}

/** A plan that the form would send: the example with another code. */
const planOf = async (code: string, more: Partial<PlanDraft> = {}): Promise<PlanDraft> => ({
  ...(await formOf()).example,
  code,
  ...more,
})
const addedId = async (plan: PlanDraft) => addDraft.output.parse((await add(plan)).json).id

test('the operator’s own currency gets its list with the first price in it', async () => {
  expect((await formOf()).lists.map(({ code, required }) => [code, required])).toEqual([['standard', true]])
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'RON'`.execute(db)
  const { lists, example } = await formOf()
  expect(lists[0]).toEqual({ code: 'ron', currency: 'RON', default: true, exists: false, required: true })
  expect(example.fees).toContainEqual({ list: 'ron', monthly: '37.00' })
  expect(faults(await add(await planOf('lei', { fees: [{ list: 'standard', monthly: '8' }] })))).toEqual([
    '422 value_required /data/fees',
  ])
  expect((await add(await planOf('lei', { fees: [{ list: 'ron', monthly: '40' }] }))).status).toBe(200)
  expect(listOf(await fileNow(), 'ron').fees).toMatchObject([{ plan: 'lei', monthly: '40.00', from: today }])
  expect((await formOf()).lists[0]).toMatchObject({ code: 'ron', exists: true, required: true })
})

test('a quantity of a meter without a price is refused, and all of it may be included', async () => {
  await sql`insert into meters (code, unit) values ('unpriced', 'pcs')`.execute(db)
  const some = await planOf('pieces', { included: [{ meter: 'unpriced', per_day: '1' }] })
  expect(faults(await add(some))).toEqual(['422 plan_price_missing /data/included/0/per_day'])
  expect((await add({ ...some, included: [{ meter: 'unpriced', per_day: null }] })).status).toBe(200)
  await sql`delete from prices where meter_id = (select id from meters where code = 'unpriced')`.execute(db)
  await sql`delete from meters where code = 'unpriced'`.execute(db)
})

test('an empty portal offers an example, which becomes a draft, and is then published as offered', async () => {
  const form = await formOf()
  expect(form).toMatchObject({
    plan: null,
    today,
    lists: [
      { code: 'ron' },
      { code: 'standard', currency: 'USD', default: true, exists: true, required: false },
    ],
    example: { code: 'start', fees: expect.arrayContaining([{ list: 'standard', monthly: '8.00' }]) },
  })
  expect(form.meters.map(({ code }) => code)).toContain('traffic_gb')
  expect(form.meters.map(({ code }) => code)).not.toContain('plan_hours')
  expect(form.engines[0]?.plans).toContain(form.example.engines[0]?.plan)

  const { status, json } = await add(form.example)
  expect(status).toBe(200)
  expect(addDraft.output.parse(json).code).toBe('start')
  const again = await formOf('start')
  expect(again.plan).toEqual({
    ...form.example,
    included: expect.arrayContaining(form.example.included),
  })
  const offers = await portal.nobody.get(`${base}/plans/-actions/offers?payload[currency]=USD`)
  expect(JSON.stringify(offers.json)).not.toContain('start')

  const file = await fileNow()
  const text = JSON.stringify({
    ...file,
    plans: file.plans.map((plan) => (plan.code === 'start' ? { ...plan, state: 'offered' } : plan)),
  })
  const seen = previewPlans.output.parse(
    (await billing.post(`${url}/-actions/previewPlans`, { data: { text } })).json,
  )
  expect(seen.faults).toEqual([])
  const done = await billing.post(`${url}/-actions/publishPlans`, { data: { text, state: seen.state } })
  expect(publishPlans.output.parse(done.json)).toEqual({ changes: 1 })
  const sold = await portal.nobody.get(`${base}/plans/-actions/offers?payload[currency]=USD`)
  expect(JSON.stringify(sold.json)).toContain('start')

  const log = await portal
    .staff(await makeAdmin(pool, 'admin'))
    .get(`${base}/staff-actions?filter[verb]=addDraft`)
  const logged = log.list.filter((one) => JSON.stringify(one).includes('ron start fee from 2099-11-20'))
  expect(logged).toHaveLength(1)

  const { list } = await billing.get(`${url}?sort=code`)
  const { id } = list.find(({ attributes }) => attributes?.code === 'start') ?? {}
  expect(faults(await edit(Number(id), detailsOf(form.example)))).toEqual(['409 plan_not_draft undefined'])
})

test('no list is begun once a plan was offered, which would have no price there', async () => {
  await sql`update operator_profile set base_currency = 'EUR'`.execute(db)
  const { lists } = await formOf()
  await sql`update operator_profile set base_currency = 'RON'`.execute(db)
  expect(lists.map(({ code }) => code)).toEqual(['ron', 'standard'])
})

test('a draft changes on the day of its prices and later, and only what was changed differs', async () => {
  const first = await planOf('growing', {
    included: [
      { meter: 'cpu_hours', per_day: null },
      { meter: 'traffic_gb', per_day: '5' },
    ],
  })
  const id = await addedId(first)
  const before = listOf(await fileNow(), 'ron')
  const traffic = before.meters.find((one) => one.meter === 'traffic_gb' && one.plan === null)
  expect(before.meters).toContainEqual({
    ...traffic,
    plan: 'growing',
    from: today,
    to: null,
    included_per_day: '5',
  })

  const dearer = { ...detailsOf(first), name_en: 'Grown', fees: [{ list: 'ron', monthly: '9.5' }] }
  expect((await edit(id, dearer)).status).toBe(200)
  const fees = async () =>
    listOf(await fileNow(), 'ron')
      .fees.filter(({ plan }) => plan === 'growing')
      .map(({ from, to, monthly }) => [from, to, monthly])
  expect(await fees()).toEqual([[today, null, '9.50']])

  await businessTime(pool, '2099-12-01T08:00:00Z')
  const less = { ...dearer, included: [], fees: [{ list: 'ron', monthly: '9' }] }
  expect((await edit(id, less)).status).toBe(200)
  expect(await fees()).toEqual([
    [today, '2099-12-01', '9.50'],
    ['2099-12-01', null, '9.00'],
  ])
  expect((await formOf('growing')).plan).toMatchObject({
    name_en: 'Grown',
    included: [],
    fees: [
      { list: 'ron', monthly: '9.00' },
      { list: 'standard', monthly: null },
    ],
  })
  const unchanged = JSON.stringify(await fileNow())
  expect((await edit(id, less)).status).toBe(200)
  expect(JSON.stringify(await fileNow())).toBe(unchanged)
})

test('what the form does not show of a draft is kept', async () => {
  const id = await addedId(await planOf('kept'))
  const [price] = listOf(await fileNow(), 'ron').meters.filter((one) => one.plan === null)
  await sql`insert into prices (price_list_id, plan_id, meter_id, resource_kind, valid, unit_price, included_per_day)
    select l.id, p.id, m.id, k.kind, daterange(clock_today(), null), 0.5, 0 from price_lists l, plans p, meters m,
      (values ('traffic_gb', ''), ('cpu_hours', 'server')) k (meter, kind)
    where l.code = 'ron' and p.code = 'kept' and m.code = k.meter`.execute(db)
  const { plan } = await formOf('kept')
  if (!plan || !price) throw new Error('There is no plan.')
  expect((await edit(id, detailsOf({ ...plan, description_en: 'Other' }))).status).toBe(200)
  const own = listOf(await fileNow(), 'ron').meters.filter((one) => one.plan === 'kept')
  expect(own).toContainEqual(expect.objectContaining({ meter: 'traffic_gb', unit_price: '0.5' }))
  expect(own).toContainEqual(expect.objectContaining({ meter: 'cpu_hours', kind: 'server' }))
})

test.each<[string, Partial<Record<keyof PlanDraft, unknown>>, string]>([
  ['a code with capitals', { code: 'Big Plan' }, '422 plan_code_form /data/code'],
  ['a code that is taken', { code: 'growing' }, '409 plan_code_taken /data/code'],
  ['no name', { name_ro: ' ' }, '422 name_required /data/name_ro'],
  ['a limit below zero', { limits: { domains: -1 } }, '422 number_least /data/limits/domains'],
  ['words for a price', { fees: [{ list: 'ron', monthly: 'ten' }] }, '422 price_form /data/fees/0/monthly'],
  [
    'no price in the own list',
    { fees: [{ list: 'ron', monthly: null }] },
    '422 value_required /data/fees/0/monthly',
  ],
  [
    'a list that is not there',
    { fees: [{ list: 'none', monthly: '8' }] },
    '422 plan_name_unknown /data/fees/0/list',
  ],
  [
    'an unknown meter',
    { included: [{ meter: 'nothing', per_day: null }] },
    '422 plan_name_unknown /data/included/0/meter',
  ],
  [
    'words for a quantity',
    { included: [{ meter: 'traffic_gb', per_day: 'lots' }] },
    '422 quantity_form /data/included/0/per_day',
  ],
  [
    'an engine that is not there',
    { engines: [{ engine: 'none', plan: 'x', regions: [] }] },
    '422 plan_name_unknown /data/engines/0/engine',
  ],
  [
    'an engine twice',
    {
      engines: [
        { engine: 'simulated', plan: 'x', regions: [] },
        { engine: 'simulated', plan: 'y', regions: [] },
      ],
    },
    '422 value_twice /data/engines/1/engine',
  ],
  [
    'a region twice',
    { engines: [{ engine: 'simulated', plan: 'x', regions: ['eu', 'us', 'eu'] }] },
    '422 value_twice /data/engines/0/regions/2',
  ],
  [
    'two prices in a list',
    {
      fees: [
        { list: 'ron', monthly: '8' },
        { list: 'ron', monthly: '9' },
      ],
    },
    '422 value_twice /data/fees/1/list',
  ],
  [
    'a meter twice',
    {
      included: [
        { meter: 'traffic_gb', per_day: null },
        { meter: 'traffic_gb', per_day: '5' },
      ],
    },
    '422 value_twice /data/included/1/meter',
  ],
])('a draft with %s is refused at its field, and nothing is written', async (_, more, fault) => {
  const before = JSON.stringify(await fileNow())
  const plan = await planOf('refused')
  const limits = { ...plan.limits, ...Object(more.limits) }
  expect(faults(await add({ ...plan, ...more, limits }))).toContain(fault)
  expect(JSON.stringify(await fileNow())).toBe(before)
})

test('a draft is deleted with its prices, its code may be used again, and the log keeps what it was', async () => {
  const plan = await planOf('gone')
  const id = await addedId(plan)
  const answer = await remove(id)
  expect([answer.status, answer.json]).toEqual([200, { code: 'gone' }])
  expect(JSON.stringify(await fileNow())).not.toContain('"gone"')
  expect((await remove(id)).status).toBe(404)
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const { list } = await admin.get(`${base}/staff-actions?filter[verb]=deleteDraft`)
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('plan gone')
  expect((await add(plan)).status).toBe(200)
})

test('a plan that was offered, and one that an announcement is about, is not deleted', async () => {
  const id = await addedId(await planOf('named'))
  await sql`insert into announcements (title_en, title_ro, plan_id, starts_at) select 'a', 'b', ${id}, now()`.execute(
    db,
  )
  expect(faults(await remove(id))).toEqual(['409 plan_announced undefined'])
  await sql`delete from announcements where plan_id = ${id}`.execute(db)
  const { list } = await billing.get(`${url}?sort=code`)
  const offered = list.find(({ attributes }) => attributes?.state === 'offered')
  expect(faults(await remove(Number(offered?.id)))).toEqual(['409 plan_not_draft undefined'])
})

test('billing and administrators write drafts, readers of money read the form, and nobody else finds it', async () => {
  const plan = await planOf('roles', { fees: [{ list: 'ron', monthly: '8' }] })
  const id = await addedId(plan)
  const client = portal.as(await makeAccount(pool, { projects: 0, panels: 0 }))
  for (const who of [portal.nobody, client])
    for (const answer of [
      await who.get(`${url}/-actions/draft`),
      await add(plan, who),
      await edit(id, detailsOf(plan), who),
      await remove(id, who),
    ])
      expect(answer.status).toBe(404)
  const statuses = async (role: 'support' | 'readonly' | 'admin') => {
    const who = portal.staff(await makeAdmin(pool, role))
    const asked = [
      await who.get(`${url}/-actions/draft`),
      await add({ ...plan, code: `of-${role}` }, who),
      await edit(id, detailsOf(plan), who),
      await edit(999_999, detailsOf(plan), who),
      await remove(999_999, who),
      await remove(id, who),
    ]
    return asked.map(({ status }) => status)
  }
  expect(await statuses('support')).toEqual([403, 403, 404, 404, 404, 404])
  expect(await statuses('readonly')).toEqual([200, 403, 403, 404, 404, 403])
  expect(await statuses('admin')).toEqual([200, 200, 200, 404, 404, 200])

  const late = await addedId({ ...plan, code: 'kept-late' })
  const member = await makeMember(pool, 'billing')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const headers = { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' }
  for (const [path, data] of [
    ['-actions/addDraft', { ...plan, code: 'late' }],
    [`${late}/-actions/editDraft`, detailsOf(plan)],
    [`${late}/-actions/deleteDraft`, {}],
  ] as const) {
    const answer = await browser.ask({ method: 'POST', url: `${url}/${path}`, headers, payload: { data } })
    expect(answer.json().errors?.[0].code).toBe('recent_sign_in_required')
  }
})
