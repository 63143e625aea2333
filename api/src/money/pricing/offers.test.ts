import type { plans } from '@portico/contract/resources/plans.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { makeOffered, makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
await makeOperator(pool)
await makeOffered(db, { 'web-3': '8.00', 'mail-24': '3.10' }, { regions: ['eu-west', 'eu-central'] })
await makePlans(db, { secret: '99.00' })
await sql`update plan_prices set valid = daterange('2020-01-01', '2026-05-01') where plan_id = (select id from plans where code = 'secret')`.execute(
  db,
)
const ana = await makeAccount(pool, { projects: 1, panels: 1 })
const dealer = await makeAccount(pool, { projects: 1, panels: 1 })
const helper = await makeAccount(pool, { projects: 1, panels: 0 })
const clerk = await makeAccount(pool, { projects: 1, panels: 0 })
const stranger = await makeAccount(pool, { projects: 1, panels: 0 })
await makeBuyer(pool, ana, { company: false })
for (const owner of [ana, dealer]) {
  await portal.share(owner, helper, { add_panels: 'allowed' })
  await portal.share(owner, clerk, { billing: 'allowed', my_workspaces: 'denied' })
}
// The dealer pays half for one plan, and the default price for the other.
await sql`with list as (insert into price_lists (code, currency) values ('dealers', 'USD') returning id),
  assigned as (insert into client_price_lists (client_id, price_list_id, valid) select ${dealer.id}, id, '[2020-01-01,)' from list)
  insert into plan_prices (price_list_id, plan_id, valid, monthly)
  select list.id, plans.id, '[2020-01-01,)', 4 from list, plans where plans.code = 'web-3'`.execute(db)
// Of the first gigabytes of a day some are included in a plan.
await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
  select l.id, p.id, m.id, '[2020-01-01,)', 0.02, 5 from price_lists l, plans p, meters m
  where l.code = 'standard' and p.code = 'web-3' and m.code = 'traffic_gb'`.execute(db)

beforeEach(() => businessTime(pool, '2026-03-10T12:30:00Z'))

type Offers = z.output<typeof plans.actions.offers.output>
type Quote = z.output<typeof plans.actions.quote.output>
const query = (payload: object) => `?payload=${encodeURIComponent(JSON.stringify(payload))}`
const offered = async (visitor: Visitor, payload: object = {}) => {
  const answer = await visitor.get(`${base}/plans/-actions/offers${query(payload)}`)
  return { answer, ...(answer.json as Offers) } // Refused ones have none of it, and only their errors are looked at.
}
const quote = async (visitor: Visitor, payload: object) => {
  const answer = await visitor.get(`${base}/plans/-actions/quote${query(payload)}`)
  return { answer, ...(answer.json as Quote) }
}
const monthly = ({ plans }: Offers) => plans.map(({ code, monthly: price }) => `${code} ${price}`)

describe('a visitor', () => {
  test('reads the plans that are offered, with prices, regions and what is included', async () => {
    const { answer, ...shown } = await offered(portal.nobody)
    expect(answer.status).toBe(200)
    expect(shown).toMatchObject({ currency: 'USD', currencies: ['USD'], vat: null })
    expect(monthly(shown)).toEqual(['mail-24 3.1', 'web-3 8'])
    const web = shown.plans[1]
    expect(web).toMatchObject({
      available: true,
      regions: ['eu-central', 'eu-west'],
      daily: 0.258065,
      hourly: 0.010753,
      next: null,
      limits: { domains: null },
    })
    const traffic = (plan: Offers['plans'][number] | undefined) =>
      plan?.meters.find(({ meter }) => meter === 'traffic_gb')
    expect(traffic(web)).toEqual({ meter: 'traffic_gb', unit: 'GB', unit_price: 0.02, included_per_day: 5 })
    expect(traffic(shown.plans[0])).toMatchObject({ unit_price: 0.009, included_per_day: 0 })
  })

  test.each([
    ['RO', { treatment: 'domestic', country: 'RO', rate: 21 }, [3.75, 9.68]],
    ['DE', { treatment: 'destination', country: 'DE', rate: 19 }, [3.69, 9.52]],
    ['US', { treatment: 'outside_eu', rate: 0 }, [3.1, 8]],
  ])('reads the prices with the VAT of a consumer in %s, to the cent', async (country, vat, gross) => {
    const shown = await offered(portal.nobody, { country })
    expect(shown.vat).toMatchObject(vat)
    expect(shown.plans.map(({ monthly_gross }) => monthly_gross)).toEqual(gross)
    expect(shown.countries).toContain(country)
  })

  test('reads prices without VAT where no country is named, and is refused an unknown one', async () => {
    const { vat, plans } = await offered(portal.nobody)
    expect([vat, ...plans.map(({ monthly_gross }) => monthly_gross)]).toEqual([null, null, null])
    const { answer } = await offered(portal.nobody, { country: 'XX' })
    expect([answer.status, answer.errors[0]?.code, answer.errors[0]?.source]).toEqual([
      422,
      'country_unknown',
      { parameter: 'payload.country' },
    ])
  })

  test('reads in both languages which currencies have prices', async () => {
    const url = `${base}/plans/-actions/offers${query({ currency: 'EUR' })}`
    for (const [language, detail] of [
      ['en', 'There are no prices in EUR. Choose one of these currencies: USD.'],
      ['ro', 'Nu există prețuri în EUR. Alege una dintre aceste monede: USD.'],
    ]) {
      const { errors, status } = await portal.nobody.get(url, { 'accept-language': language ?? '' })
      expect([status, errors[0]?.code, errors[0]?.detail]).toEqual([422, 'currency_not_sold', detail])
    }
  })

  test('may cache the answer for a minute, and gets a 304 while it is unchanged', async () => {
    const { answer } = await offered(portal.nobody)
    expect(answer.header('cache-control')).toBe('public, max-age=60')
    expect(answer.header('vary')).toContain('authorization')
    const url = `${base}/plans/-actions/offers`
    const tag = (await portal.nobody.get(url)).header('etag') ?? ''
    const again = await portal.nobody.get(url, { 'if-none-match': tag })
    expect([again.status, again.header('cache-control'), again.header('etag')]).toEqual([
      304,
      'public, max-age=60',
      tag,
    ])
    const mine = await portal.as(ana).get(url)
    expect(mine.header('cache-control')).toBe('private, max-age=60')
  })

  test('with the answer of before reads a new one once a price has changed', async () => {
    const url = `${base}/plans/-actions/offers`
    const before = (await portal.nobody.get(url)).header('etag') ?? ''
    const cost = (monthly: string) =>
      sql`update plan_prices set monthly = ${monthly} where plan_id = (select id from plans where code = 'web-3')
        and price_list_id = (select id from price_lists where code = 'standard')`.execute(db)
    await cost('8.50')
    const changed = await portal.nobody.get(url, { 'if-none-match': before })
    // The status says that it is the answer and no refusal.
    expect([changed.status, monthly(changed.json as Offers)]).toEqual([200, ['mail-24 3.1', 'web-3 8.5']])
    const after = changed.header('etag') ?? ''
    expect([after === before, (await portal.nobody.get(url, { 'if-none-match': after })).status]).toEqual([
      false,
      304,
    ])
    await cost('8.00')
    expect((await portal.nobody.get(url, { 'if-none-match': before })).status).toBe(304)
  })

  test('with a session that has ended is asked to sign in', async () => {
    const answer = await portal.nobody.get(`${base}/plans/-actions/offers`, { authorization: 'Bearer ended' })
    expect([answer.status, answer.header('cache-control')]).toEqual([401, 'no-store'])
  })

  test('learns nothing by naming an account or asking for a quote', async () => {
    expect((await offered(portal.nobody, { client_id: dealer.id })).answer.status).toBe(403)
    expect((await quote(portal.nobody, { plan: 'web-3' })).answer.status).toBe(401)
  })

  test('reads the price that is announced next, and its day', async () => {
    await db.transaction().execute(async (tx) => {
      await sql`update plan_prices set valid = daterange('2020-01-01', '2026-04-09')
        where plan_id = (select id from plans where code = 'mail-24')`.execute(tx)
      await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
        select l.id, p.id, '[2026-04-09,)', 3.5 from price_lists l, plans p where l.code = 'standard' and p.code = 'mail-24'`.execute(
        tx,
      )
    })
    const { plans } = await offered(portal.nobody)
    expect(plans.map(({ next }) => next)).toEqual([{ monthly: 3.5, from: '2026-04-09' }, null])
  })

  test('sees that no platform makes a plan while its engine is down, disabled or without it', async () => {
    const available = async () => (await offered(portal.nobody)).plans.map((plan) => plan.available)
    for (const [broken, whole] of [
      [`health = 'down'`, `health = 'up'`],
      ['disabled_at = now()', 'disabled_at = null'],
      [
        `capabilities = capabilities || '{"plans": []}'`,
        `capabilities = capabilities || '{"plans": ["standard"]}'`,
      ],
    ]) {
      await sql`update panel_engines set ${sql.raw(broken ?? '')} where is_default`.execute(db)
      expect(await available(), broken).toEqual([false, false])
      await sql`update panel_engines set ${sql.raw(whole ?? '')} where is_default`.execute(db)
      expect(await available(), whole).toEqual([true, true])
    }
    await sql`update plans set needs_domain = true where code = 'web-3'`.execute(db)
    expect(await available()).toEqual([true, false])
    await sql`update panel_engines set capabilities = capabilities || '{"domain": "required"}' where is_default`.execute(
      db,
    )
    expect(await available()).toEqual([true, true])
  })

  test('an engine that lists the details of a plan twice is read by the first of them', async () => {
    const details = ['required', 'none'].map((domain) => ({ code: 'standard', domain }))
    await sql`update panel_engines set capabilities = capabilities || ${JSON.stringify({ plan_details: details })}::jsonb
      where is_default`.execute(db)
    const { answer, ...shown } = await offered(portal.nobody)
    expect([answer.status, shown.plans?.length]).toEqual([200, 2])
    await sql`update panel_engines set capabilities = capabilities - 'plan_details' where is_default`.execute(
      db,
    )
  })
})

describe('by their rights in the account', () => {
  test('the owner and a guest with billing read its own prices', async () => {
    expect(monthly(await offered(portal.as(dealer)))).toEqual(['mail-24 3.1', 'web-3 4'])
    expect(monthly(await offered(portal.as(clerk), { client_id: dealer.id }))).toContain('web-3 4')
    expect(monthly(await offered(portal.as(ana)))).toContain('web-3 8')
    expect(await quote(portal.as(clerk), { plan: 'web-3', client_id: dealer.id })).toMatchObject({
      monthly: 4,
      currency: 'USD',
    })
  })

  test('a guest who may add panels reads the default prices, and none where there are special ones', async () => {
    expect(monthly(await offered(portal.as(helper), { client_id: ana.id }))).toContain('web-3 8')
    const shown = await offered(portal.as(helper), { client_id: dealer.id })
    expect(monthly(shown)).toEqual(['mail-24 null', 'web-3 null'])
    expect(shown.plans[1]?.meters).toEqual([])
    expect(await quote(portal.as(helper), { plan: 'web-3', client_id: ana.id })).toMatchObject({
      monthly: 8,
      vat: null,
      daily_use: null,
      exhaustion_date: null,
    })
    expect(await quote(portal.as(helper), { plan: 'web-3', client_id: dealer.id })).toMatchObject({
      monthly: null,
      rest_of_month: null,
      daily_use: null,
    })
  })

  test('a key without the billing of its owner reads the default prices and no balance', async () => {
    const { id } = await makeKey(pool, { client: dealer.id, scopes: ['panels:read'] })
    expect(monthly(await offered(portal.key(id)))).toEqual(['mail-24 null', 'web-3 null'])
    const whole = await makeKey(pool, { client: dealer.id, scopes: ['panels:read', 'billing:read'] })
    expect(monthly(await offered(portal.key(whole.id)))).toContain('web-3 4')
  })

  test('strangers and unknown accounts are refused alike', async () => {
    for (const client_id of [ana.id, 999_999])
      for (const { answer } of [
        await offered(portal.as(stranger), { client_id }),
        await quote(portal.as(stranger), { plan: 'web-3', client_id }),
      ])
        expect([answer.status, answer.errors[0]?.code]).toEqual([403, 'panels_add_not_allowed'])
  })

  test('staff read the default prices', async () => {
    expect(monthly(await offered(portal.staff(await makeAdmin(pool, 'billing'))))).toContain('web-3 8')
  })
})

describe('a quote', () => {
  test('is exact to the hour, with VAT and until when the balance lasts', async () => {
    const week = ['03', '04', '05', '06', '07', '08', '09'].map((day) => `2026-03-${day}`)
    await movedBalance(pool, ana.id, '11.654322', '2026-03-02')
    await used(db, ana, week, '2')
    const quoted = await quote(portal.as(ana), { plan: 'web-3' })
    expect(quoted).toMatchObject({
      plan: 'web-3',
      currency: 'USD',
      monthly: 8,
      daily: 0.258065,
      hourly: 0.010753,
      // 21 days and the hours from noon on of 744.
      rest_of_month: 5.548387,
      vat: { treatment: 'domestic', country: 'RO', rate: 21, amount: 1.68, gross: 9.68 },
      daily_use: { before: 2, after: 2.258065 },
      exhaustion_date: { before: '2026-03-20', after: '2026-03-18' },
    })
  })

  test.each(['secret', 'nothing', 'Web-3'])(
    'of the plan %s, which is not offered, is refused',
    async (plan) => {
      const { answer } = await quote(portal.as(ana), { plan })
      expect([answer.status, answer.errors[0]?.code, answer.errors[0]?.source]).toEqual([
        422,
        'plan_not_offered',
        { parameter: 'payload.plan' },
      ])
    },
  )
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
