import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { businessTime, movedBalance } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool)
const stranger = await makeAccount(portal.pool)
const url = `/api/v1/clients/${ana.id}`

const choose = (id: unknown) =>
  portal.as(ana).post(`${url}/-actions/updateCurrentProject`, { data: { current_project_id: id } })

test('choosing a workspace makes it the current one', async () => {
  const answer = await choose(ana.projects[1])
  expect([answer.status, answer.json]).toEqual([200, { current_project_id: ana.projects[1] }])
  const me = await portal.as(ana).get(`${url}?include=currentProject`)
  expect(me.one.attributes?.current_project_id).toBe(ana.projects[1])
  expect(me.included.map(({ id }) => id)).toEqual([String(ana.projects[1])])
})

test('a workspace that the person does not see cannot be chosen', async () => {
  expect((await choose(stranger.projects[0])).status).toBe(404)
  expect((await choose(2 ** 40)).status).toBe(404)
  expect((await choose('x')).status).toBe(422)
})

test('the first steps are shown or hidden by their person alone', async () => {
  const own = portal.as(ana)
  const shown = async () => (await own.get(url)).one.attributes?.get_started
  expect(await shown()).toBe(false)
  const send = (visitor: typeof own, get_started: unknown) =>
    visitor.patch(url, { data: { type: 'clients', id: String(ana.id), attributes: { get_started } } })
  expect((await send(own, true)).status).toBe(200)
  expect(await shown()).toBe(true)
  expect((await send(own, 'no')).status).toBe(422)
  expect((await send(portal.as(stranger), false)).status).toBe(404)
  const guest = await makeAccount(portal.pool, { projects: 0, panels: 0 })
  await portal.share(ana, guest)
  expect((await send(portal.as(guest), false)).status).toBe(403)
  expect((await portal.as(guest).get(url)).one.attributes).not.toHaveProperty('get_started')
  expect((await send(own, false)).status).toBe(200)
  expect(await shown()).toBe(false)
})

test('a new workspace becomes the current one', async () => {
  const made = await portal
    .as(ana)
    .post('/api/v1/projects', { data: { type: 'projects', attributes: { name: 'Shop' } } })
  expect((await portal.as(ana).get(url)).one.attributes?.current_project_id).toBe(Number(made.one.id))
})

test.each([
  ['2026-03-18', '2026-03-18T23:58:00Z', 0],
  ['2026-03-18', '2026-03-19T00:00:00Z', 1],
  ['2026-03-02', '2026-03-18T12:00:00Z', 16],
  [null, '2026-03-18T12:00:00Z', 0],
])('below zero since %s is, at %s, %i full days', async (since, at, days) => {
  const bogdan = await makeAccount(portal.pool)
  if (since) await movedBalance(portal.pool, bogdan.id, '-30', since)
  await businessTime(portal.pool, at)
  const answer = await portal
    .as(bogdan)
    .get(`/api/v1/clients/${bogdan.id}/-actions/checkNegativeNumberOfDays`)
  expect(answer.json).toEqual({ days })
})

test('saving the whole client back drops what older clients send along', async () => {
  const attributes = { first_name: 'Anca', auth_id: 'other', two_fa_enabled: 1 }
  const saved = await portal.as(ana).patch(url, { data: { type: 'clients', id: String(ana.id), attributes } })
  expect(saved.one.attributes).toMatchObject({ first_name: 'Anca', auth_id: null, two_fa_enabled: 0 })
})

async function entity(attributes: Record<string, unknown>) {
  const [mine] = (await portal.as(ana).get('/api/v1/client-entities')).list
  return portal.as(ana).patch(`/api/v1/client-entities/${mine?.id}`, {
    data: { type: 'client-entities', id: mine?.id, attributes },
  })
}

const idOf = async (table: 'countries' | 'counties', code: string) =>
  (await db.selectFrom(table).select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

test('an address names a country and a county that belong together', async () => {
  const [country_id, county_id] = [await idOf('countries', 'RO'), await idOf('counties', 'RO-CJ')]
  expect((await entity({ country_id, county_id })).one.attributes).toMatchObject({ country_id, county_id })
  expect((await entity({ country_id: await idOf('countries', 'DE') })).faults).toEqual([
    '422 county_of_other_country /data/attributes/county_id',
  ])
  expect((await entity({ country_id: null })).faults).toEqual([
    '422 county_needs_country /data/attributes/county_id',
  ])
  expect((await entity({ country_id: 99_999, county_id: null })).faults).toEqual([
    '422 country_unknown /data/attributes/country_id',
  ])
})

test.each([
  ['a@x.test,b@x.test ,, ', 'a@x.test, b@x.test'],
  ['a@x.test, b@x.test\r\n', 'a@x.test, b@x.test'],
  ['', ''],
  [null, null],
])('billing e-mails %j are kept as %j', async (sent, kept) => {
  expect((await entity({ billing_emails: sent })).one.attributes).toMatchObject({ billing_emails: kept })
})

test.each([
  ['nobody', 'emails_invalid'],
  ['a@x.test b@x.test', 'emails_invalid'],
  [Array(11).fill('a@x.test').join(), 'addresses_most'],
])('billing e-mails %j are refused', async (sent, code) => {
  expect((await entity({ billing_emails: sent })).faults).toEqual([
    `422 ${code} /data/attributes/billing_emails`,
  ])
})

// An address goes into a letter's header, where a line that ends early would begin another.
test.each([
  'a@x.test\r\nBcc: all@x.test',
  'a@x.test\nb@x.test',
  'a@x.test\rBcc:all@x.test',
  'a\u2028@x.test',
  '"a\r\nBcc: b"@x.test',
])('billing e-mails %j cannot add a header', async (billing_emails) => {
  await entity({ billing_emails: 'kept@x.test' })
  expect((await entity({ billing_emails })).faults).toEqual([
    '422 characters_unfit /data/attributes/billing_emails',
  ])
  const kept = (await portal.as(ana).get('/api/v1/client-entities')).list[0]
  expect(kept?.attributes).toMatchObject({ billing_emails: 'kept@x.test' })
})

test.each(['+40 21 555 0134', '+49 30 555 0187', '+1 213 373 4253 ext. 12', '', null])(
  'the phone number %j is kept',
  async (phone_number) => {
    expect((await entity({ phone_number })).one.attributes).toMatchObject({ phone_number })
  },
)

test.each([
  ['0215550134', 'phone_invalid'],
  ['+40 21', 'phone_invalid'],
  ['+999 12345678', 'phone_invalid'],
  ['call +40215550134', 'phone_invalid'],
  ['+1 213 373 4253\r\nX: y', 'characters_unfit'],
])(
  'the phone number %j is refused, and stands in the way of nothing when it was there before',
  async (phone_number, code) => {
    expect((await entity({ phone_number })).faults).toEqual([`422 ${code} /data/attributes/phone_number`])
    await db.updateTable('client_entities').set({ phone_number }).where('client_id', '=', ana.id).execute()
    const city = `City of ${phone_number.length}`
    expect((await entity({ city })).one.attributes).toMatchObject({ city })
  },
)

test('an account’s billing is complete when nothing that an invoice needs is null', async () => {
  const profile = async () => (await portal.as(ana).get(`/api/v1/billing-profiles/${ana.id}`)).one.attributes
  expect(await profile()).toMatchObject({
    billing_complete: false,
    currency: 'USD',
    account_balance: 12.345678,
    credit_balance: 10,
  })
  await entity({ address1: 'Strada 1', zip_code: '', account_type: 2 })
  expect(await profile()).toMatchObject({ billing_complete: true })
  await entity({ account_type: 1 })
  expect(await profile()).toMatchObject({ billing_complete: false })
})
