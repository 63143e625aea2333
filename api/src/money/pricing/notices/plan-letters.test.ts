import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { render } from '#notifications/letters/render.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { announcePrices } from './announce-prices.ts'
import { noticeTraffic } from './notice-traffic.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const parts = { pool, vault: testVault }
const today = '2026-03-10'

let made = 0

/** An offered-like plan of a name, at 20 a month in dollars and in euros, with 500 GB of traffic. */
async function makePlan(): Promise<{ id: number; code: string }> {
  const code = `web-${++made}`
  const { [code]: id = 0 } = await makePlans(db, { [code]: '20.00' })
  await sql`insert into price_lists (code, currency, is_default) values ('eur', 'EUR', false) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into plan_limits (plan_id, what, amount) values (${id}, 'traffic_gb_month', 500)`.execute(
    db,
  )
  return { id, code }
}

async function withPlan(plan: number, { currency = 'USD', ro = false } = {}): Promise<Account> {
  const account = await makeAccount(pool, { projects: 1, panels: 1, currency, opening: null })
  await sql`update panels set plan_id = ${plan}, name = 'shop' where client_id = ${account.id}`.execute(db)
  if (ro)
    await sql`update clients set language_id = (select id from languages where code = 'ro') where id = ${account.id}`.execute(
      db,
    )
  return account
}

/** From a day on the plan costs this much a month in a list. */
const announce = (list: string, plan: number, monthly: string, from = '2026-04-15') =>
  db.transaction().execute(async (tx) => {
    await sql`update plan_prices x set valid = daterange(lower(x.valid), ${from}::date) from price_lists l
      where l.id = x.price_list_id and l.code = ${list} and x.plan_id = ${plan} and upper_inf(x.valid)`.execute(
      tx,
    )
    await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
      select id, ${plan}, daterange(${from}::date, null), ${monthly}::numeric from price_lists where code = ${list}`.execute(
      tx,
    )
  })

/** The letters to an address, oldest first. */
async function read(to: string, language: 'en' | 'ro' = 'en'): Promise<{ subject: string; text: string }[]> {
  const letters = await lettersTo(pool, to)
  return letters
    .filter(({ kind }) => kind === 'prices-rise' || kind === 'plan-traffic')
    .map((letter) => render(letter, language, 'https://portal.example'))
}

beforeEach(() => businessTime(pool, `${today}T12:00:00Z`))

test('the owner and the billing addresses read once that their plan will cost more', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  await sql`update client_entities set billing_emails = 'Books@example.com' where client_id = ${account.id}`.execute(
    db,
  )
  await announce('standard', plan.id, '25.00')
  await announcePrices(parts)
  await announcePrices(parts)
  for (const to of [account.email, 'books@example.com']) {
    const letters = await read(to)
    expect(letters.map(({ subject }) => subject)).toEqual(['Some of your prices will rise on 15 April 2026'])
    expect(letters[0]?.text).toContain(`Plan Web-${made} (shop): $25.00 a month instead of $20.00.`)
  }
})

test('a Romanian account in euros reads the price of its own list, in Romanian', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id, { currency: 'EUR', ro: true })
  await sql`insert into client_price_lists (client_id, price_list_id, valid)
    select ${account.id}, id, '[2020-01-01,)' from price_lists where code = 'eur'`.execute(db)
  await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select id, ${plan.id}, '[2020-01-01,)', 18 from price_lists where code = 'eur'`.execute(db)
  await announce('eur', plan.id, '19.50')
  await announcePrices(parts)
  const [letter] = await read(account.email, 'ro')
  expect(letter?.subject).toBe('Unele prețuri cresc de la 15 aprilie 2026')
  expect(letter?.text).toContain(`Planul Web-${made} Plus (shop): €19.50 pe lună în loc de €18.00.`)
})

test('a dearer meter is announced with its price of a unit, with the fee in one letter', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price)
    select l.id, ${plan.id}, m.id, v.valid::daterange, v.price from price_lists l, meters m,
      (values ('[2020-01-01,2026-04-15)', 0.009), ('[2026-04-15,)', 0.0125)) v (valid, price)
    where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)
  await announce('standard', plan.id, '21.00')
  await announcePrices(parts)
  const letters = await read(account.email)
  expect(letters).toHaveLength(1)
  expect(letters[0]?.text).toContain('$21.00 a month instead of $20.00')
  expect(letters[0]?.text).toContain(`Traffic with plan Web-${made}: $0.0125 instead of $0.009`)
})

test('the end of a special price is announced where the general one is dearer', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price)
    select l.id, ${plan.id}, m.id, '[2020-01-01,2026-04-20)', 0 from price_lists l, meters m
    where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)
  await announcePrices(parts)
  await announcePrices(parts)
  const letters = await read(account.email)
  expect(letters.map(({ subject }) => subject)).toEqual(['Some of your prices will rise on 20 April 2026'])
  expect(letters[0]?.text).toContain('Traffic: $0.009 instead of $0.00')
})

test('no letter is sent about a cheaper price, another plan, a price of others, or a deleted panel', async () => {
  const [plan, other] = [await makePlan(), await makePlan()]
  const [cheaper, dealer, gone] = [
    await withPlan(plan.id),
    await withPlan(other.id),
    await withPlan(other.id),
  ]
  await sql`with list as (insert into price_lists (code, currency) values ('dealer', 'USD') returning id),
    given as (insert into client_price_lists (client_id, price_list_id, valid) select ${dealer.id}, id, '[2020-01-01,)' from list)
    insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select id, ${other.id}, '[2020-01-01,)', 10 from list`.execute(db)
  await sql`update panels set status = 'deleting' where client_id = ${gone.id}`.execute(db)
  await announce('standard', plan.id, '19.00')
  await announce('standard', other.id, '29.00')
  await announcePrices(parts)
  for (const { email } of [cheaper, dealer, gone]) expect(await read(email)).toEqual([])
})

test('an account whose own prices end reads once which ones apply from then on', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  await sql`with list as (insert into price_lists (code, currency) values ('ending', 'USD') returning id),
    given as (insert into client_price_lists (client_id, price_list_id, valid) select ${account.id}, id, '[2020-01-01,2026-05-01)' from list),
    fee as (insert into plan_prices (price_list_id, plan_id, valid, monthly) select id, ${plan.id}, '[2020-01-01,)', 10 from list)
    insert into prices (price_list_id, meter_id, valid, unit_price)
    select list.id, m.id, '[2020-01-01,)', 0.001 from list, meters m where m.code = 'traffic_gb'`.execute(db)
  await announcePrices(parts)
  await announcePrices(parts)
  const [letter, ...more] = await read(account.email)
  expect(more).toEqual([])
  expect(letter?.subject).toBe('Some of your prices will rise on 1 May 2026')
  expect(letter?.text).toContain(`Plan Web-${made} (shop): $20.00 a month instead of $10.00.`)
  expect(letter?.text).toMatch(/Traffic: \$\d\.\d+ instead of \$0\.001 /)
})

test('two runs at once send one letter', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  await announce('standard', plan.id, '25.00')
  await Promise.all([announcePrices(parts), announcePrices(parts), announcePrices(parts)])
  expect(await read(account.email)).toHaveLength(1)
})

/** Traffic of a panel on a UTC day, added to what there is. */
const traffic = ({ panels }: Account, day: string, gb: number) =>
  sql`insert into usage_meter_days as d (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select ${day}::date, ${panels[0]}, 'server/1', id, ${gb}, 1 from meters where code = 'traffic_gb'
    on conflict (usage_on, panel_id, resource_ref, meter_id) do update set quantity = d.quantity + excluded.quantity`.execute(
    db,
  )

const alertOf = async ({ panels }: Account) => {
  const { rows } = await sql<{ detail: unknown; open: boolean }>`
    select detail, resolved_at is null as open from staff_alerts
    where kind = 'plan_traffic_used' and about = ${`panel ${panels[0]}`} order by id`.execute(db)
  return rows
}

test('the owner reads at 80 and at 100 percent of the month’s traffic, once each, and staff have an alert', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id)
  // Last month's traffic does not count.
  await traffic(account, '2026-02-28', 600)
  await traffic(account, '2026-03-01', 399.9)
  await noticeTraffic(parts)
  expect(await read(account.email)).toEqual([])
  await traffic(account, '2026-03-09', 0.1)
  await noticeTraffic(parts)
  await noticeTraffic(parts)
  const [first, ...none] = await read(account.email)
  expect(none).toEqual([])
  expect(first?.subject).toBe('A panel has used 80% of its traffic this month')
  expect(first?.text).toContain(
    `The panel shop has used 400 GB of traffic this month. Its plan Web-${made} is meant for 500 GB a month.`,
  )
  expect(await alertOf(account)).toEqual([])
  await traffic(account, today, 101.5)
  await Promise.all([noticeTraffic(parts), noticeTraffic(parts)])
  const subjects = (await read(account.email)).map(({ subject }) => subject)
  expect(subjects).toEqual([
    'A panel has used 80% of its traffic this month',
    'A panel has used all of its plan’s traffic this month',
  ])
  const detail = { plan: `web-${made}`, allowed: 500, used: 501 }
  expect(await alertOf(account)).toEqual([{ detail, open: true }])
})

test('a new month begins at zero, and the alert of the old one is resolved', async () => {
  const plan = await makePlan()
  const account = await withPlan(plan.id, { ro: true })
  await traffic(account, today, 700)
  await noticeTraffic(parts)
  // Both shares were reached at once: only the higher one is written about.
  const [letter, ...none] = await read(account.email, 'ro')
  expect(none).toEqual([])
  expect(letter?.subject).toBe('Un panou a consumat tot traficul planului pe luna aceasta')
  expect(letter?.text).toContain(
    `Panoul shop a consumat luna aceasta 700 GB de trafic. Planul Web-${made} Plus prevede 500 GB pe lună.`,
  )
  await businessTime(pool, '2026-04-02T12:00:00Z')
  await noticeTraffic(parts)
  expect(await alertOf(account)).toMatchObject([{ open: false }])
  await traffic(account, '2026-04-01', 500)
  await noticeTraffic(parts)
  expect(await read(account.email, 'ro')).toHaveLength(2)
  expect(await alertOf(account)).toMatchObject([{ open: false }, { open: true }])
})
