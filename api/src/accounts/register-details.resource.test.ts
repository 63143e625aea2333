import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 1000, trustedProxies: ['127.0.0.1'] } })
const url = '/api/v1/register-details'
const type = 'register-details'
// The wire leaves out milliseconds that are none.
const now = '2026-01-15T12:00:00Z'

let made = 0

/** A signed-in person who has not entered their details. */
async function newcomer(googleProcess = 0) {
  const one = await person(pool, `newcomer-${++made}@example.test`)
  await db.updateTable('clients').set({ google_process: googleProcess }).where('id', '=', one.id).execute()
  await db.deleteFrom('client_entities').where('client_id', '=', one.id).execute()
  const browser = new Browser(app)
  await browser.signIn(one.email)
  const save = (attributes: Record<string, unknown>, headers = {}) =>
    browser.ask({
      method: 'POST',
      url,
      headers: {
        authorization: `Bearer ${browser.cookies.get('token')}`,
        'content-type': 'application/vnd.api+json',
        ...headers,
      },
      payload: JSON.stringify({ data: { type, attributes } }),
    })
  const user = async () => (await browser.get('/api/user')).json()
  return { ...one, browser, save, user }
}

const idOf = async (table: 'countries' | 'counties', code: string) =>
  (await db.selectFrom(table).select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

const least = {
  first_name: 'Ioana',
  last_name: 'Marin',
  account_type: 2,
  terms_version: '2026-01',
  marketing_consent: false,
  source: 'google',
}

async function full() {
  return {
    ...least,
    account_type: 1,
    company_name: 'Marin SRL',
    vat_number: 'RO12345674',
    registration_number: null,
    commerce_code: 'J12/1/2020',
    phone_number: '+40 21 555 0134 ext. 7',
    address1: 'Str. Lungă 1',
    address2: null,
    city: 'Cluj-Napoca',
    zip_code: '400001',
    country_id: await idOf('countries', 'RO'),
    county_id: await idOf('counties', 'RO-CJ'),
    marketing_consent: true,
  }
}

test('registration details name the person and the billed party, and complete a registration with Google', async () => {
  const ioana = await newcomer()
  expect(await ioana.user()).toMatchObject({ google_process: 0, clientEntity: null })
  const details = await full()
  const answer = await ioana.save(details, { 'x-forwarded-for': '203.0.113.9' })
  expect([answer.statusCode, answer.json().data.attributes]).toEqual([
    201,
    {
      ...details,
      state: null,
      client_id: ioana.id,
      terms_accepted_at: now,
      privacy_accepted_at: now,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ])
  expect(answer.headers.location).toBe(`${url}/${answer.json().data.id}`)
  const { country_id, county_id, company_name, phone_number } = details
  expect(await ioana.user()).toMatchObject({
    google_process: 1,
    first_name: 'Ioana',
    last_name: 'Marin',
    clientEntity: { account_type: 1, company_name, phone_number, country_id, county_id, po_number: null },
  })
  const kept = await db
    .selectFrom('register_details')
    .select('ip')
    .where('client_id', '=', ioana.id)
    .executeTakeFirst()
  expect(kept?.ip).toBe('203.0.113.9')
})

test('the details are saved once, however many requests arrive at the same moment', async () => {
  const one = await newcomer()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => one.save({ ...least, first_name: `N${n}` })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409, 409])
  const kept = answers.find(({ statusCode }) => statusCode === 201)?.json().data.attributes.first_name
  expect(await one.user()).toMatchObject({ first_name: kept })
  expect((await one.save(least)).json().errors).toMatchObject([
    { code: 'register_details_given', detail: 'You have already provided these details.' },
  ])
  expect(await one.user()).toMatchObject({ first_name: kept })
})

test('the details are read by the person alone, and neither changed nor deleted', async () => {
  const [mine, other] = [await newcomer(), await newcomer()]
  const { id } = (await mine.save(least)).json().data
  expect((await mine.browser.get(url)).json().data).toMatchObject([{ id }])
  expect((await other.browser.get(url)).json().data).toEqual([])
  expect((await other.browser.get(`${url}?filter[client_id]=${mine.id}`)).json().data).toEqual([])
  expect((await other.browser.get(`${url}/${id}`)).statusCode).toBe(404)
  for (const method of ['PATCH', 'DELETE'] as const) {
    const authorization = `Bearer ${mine.browser.cookies.get('token')}`
    const payload = JSON.stringify({ data: { type, id, attributes: { marketing_consent: true } } })
    const headers = { authorization, 'content-type': 'application/vnd.api+json' }
    const answer = await mine.browser.ask({ method, url: `${url}/${id}`, headers, payload })
    expect(answer.statusCode).toBe(403)
  }
})

test('the details are refused for another person, from another browser, or at another time', async () => {
  const [one, victim] = [await newcomer(), await newcomer()]
  expect((await one.save({ ...least, client_id: victim.id })).statusCode).toBe(403)
  const answer = await one.save({
    ...least,
    terms_accepted_at: '2020-01-01T00:00:00Z',
    privacy_accepted_at: '2020-01-01T00:00:00Z',
    ip: '192.0.2.1',
  })
  expect(answer.json().data.attributes).toMatchObject({
    client_id: one.id,
    terms_accepted_at: now,
  })
  expect(await victim.user()).toMatchObject({ google_process: 0, first_name: 'Ada' })
})

test('an unconfirmed person is asked to confirm their e-mail first', async () => {
  const one = await newcomer()
  await db.updateTable('auth_accounts').set({ verified_at: null }).where('id', '=', one.accountId).execute()
  expect((await one.save(least)).statusCode).toBe(403)
  expect(await db.selectFrom('register_details').where('client_id', '=', one.id).execute()).toEqual([])
})

test.each([
  [{ first_name: ' ' }, 'first_name'],
  [{ last_name: undefined }, 'last_name'],
  [{ account_type: 3 }, 'account_type'],
  [{ account_type: 1 }, 'company_name'],
  [{ account_type: 1, company_name: ' ' }, 'company_name'],
  [{ phone_number: '7' }, 'phone_number'],
  [{ phone_number: '+' }, 'phone_number'],
  [{ phone_number: 'call me' }, 'phone_number'],
  [{ phone_number: '1'.repeat(26) }, 'phone_number'],
  [{ phone_number: '++40215550134' }, 'phone_number'],
  [{ terms_version: '' }, 'terms_version'],
  [{ terms_version: undefined }, 'terms_version'],
  [{ marketing_consent: 'yes' }, 'marketing_consent'],
  [{ source: 'elsewhere' }, 'source'],
  [{ country_id: 99_999 }, 'country_id'],
  [{ country_id: 'RO' }, 'country_id'],
  [{ county_id: 1 }, 'county_id'],
])('telling %j is refused at its field, and nothing of it is kept', async (wrong, field) => {
  const one = await newcomer()
  const answer = await one.save({ ...least, ...wrong })
  expect([answer.statusCode, answer.json().errors[0].source]).toEqual([
    422,
    { pointer: `/data/attributes/${field}` },
  ])
  expect(await one.user()).toMatchObject({ google_process: 0, first_name: 'Ada', clientEntity: null })
})

test('a county of another country is refused', async () => {
  const one = await newcomer()
  const country_id = await idOf('countries', 'DE')
  const county_id = await idOf('counties', 'RO-CJ')
  const answer = await one.save({ ...least, country_id, county_id })
  expect(answer.json().errors).toMatchObject([
    { status: '422', source: { pointer: '/data/attributes/county_id' } },
  ])
})

test.each(['+40 21 555 0134', '0215550134', '(021) 555-0134', '12', '555 0134 x12'])(
  'the phone number %s is taken',
  async (phone_number) => {
    const one = await newcomer()
    expect((await one.save({ ...least, phone_number })).json().data.attributes).toMatchObject({
      phone_number,
    })
  },
)

test('omitted details keep their saved values', async () => {
  const one = await newcomer(1)
  const country_id = await idOf('countries', 'RO')
  const county_id = await idOf('counties', 'RO-CJ')
  await db
    .insertInto('client_entities')
    .values({ client_id: one.id, city: 'Cluj-Napoca', po_number: '7', country_id, county_id })
    .execute()
  expect((await one.save({ ...least, city: null, zip_code: '400001' })).statusCode).toBe(201)
  expect(await one.user()).toMatchObject({
    google_process: 1,
    clientEntity: { city: 'Cluj-Napoca', po_number: '7', zip_code: '400001', country_id, county_id },
  })
})
