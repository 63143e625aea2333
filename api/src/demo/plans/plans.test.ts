import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { demoPassword } from '#demo/accounts.ts'
import { compare } from '#money/pricing/file/import-plans.ts'
import { exportPlans } from '#money/pricing/file/plan-file.ts'
import { testApp } from '#test/support/app.ts'
import { demoDatabase } from '#test/support/demo.ts'
import { Browser } from '#test/support/people.ts'
import { previewRerating } from '#usage/rerate.ts'
import { capabilities } from '#workspaces/engines/simulated/offer.ts'

const { pool } = await demoDatabase()
const { app } = await testApp(pool, { env: { seed: 'demo' } })

/** Reads a path of the API as a person of the demo. */
async function readBy(name: string, path: string) {
  const browser = new Browser(app)
  const { code } = (await browser.login(`${name}@demo.test`, demoPassword)).json()
  await browser.get(`/auth/callback?code=${code}`)
  const answer = await browser.get(`/api/v1/${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

test('four plans are offered in three currencies, one is retired and one a draft', async () => {
  const { plans, price_lists: lists } = await exportPlans(pool.kysely)
  expect(plans.map(({ code, state }) => `${code} ${state}`)).toEqual([
    'start offered',
    'web-3 offered',
    'cluster-4 offered',
    'mail-24 offered',
    'old-web-2 retired',
    'web-9 draft',
  ])
  expect(lists.map(({ currency, default: is, fees }) => [currency, is, fees.length])).toEqual([
    ['EUR', true, 5],
    ['RON', true, 5],
    ['USD', true, 5],
  ])
})

test('the plans can be exported and imported again without a change', async () => {
  const file = await exportPlans(pool.kysely)
  expect(await compare(pool.kysely, file)).toEqual({ changes: [], faults: [] })
})

test('the demo’s engine makes what is offered from the first moment on', async () => {
  const { rows } = await sql<{ code: string }>`select p.code from plans p
    where p.state = 'offered' and exists (select from plan_carriers(p.id)) order by p.position`.execute(
    pool.kysely,
  )
  expect(rows.map(({ code }) => code)).toEqual(['start', 'web-3', 'cluster-4', 'mail-24'])
})

test('the demo’s engine allows what the plans say', async () => {
  const { plans } = await exportPlans(pool.kysely)
  const details = new Map(capabilities.plan_details?.map(({ code, limits }) => [code, limits]))
  for (const { code, limits, engines } of plans.filter(({ state }) => state !== 'draft')) {
    // Engines do not count disk space and traffic.
    const { disk_gb: _, traffic_gb_month: __, ...counted } = limits
    expect(details.get(engines[0]?.plan ?? ''), code).toMatchObject(counted)
  }
})

type Panel = { readonly attributes: { readonly name: string; readonly plan_code: string } }

test('Ana’s six panels have plans of 104 a month, one of them no longer sold', async () => {
  const panels = await readBy('ana', 'panels?sort=id')
  expect(panels.map(({ attributes: { name, plan_code } }: Panel) => `${name} ${plan_code}`)).toEqual([
    'web-eu1 web-3',
    'shop-cluster cluster-4',
    'mail-eu1 mail-24',
    'staging-eu1 start',
    'bistro-verde start',
    'atelier-nord old-web-2',
  ])
  const { rows } = await sql<{ monthly: string; used: number }>`
    select sum(f.monthly) as monthly, (select daily_use from billing_profiles where id = c.id)::float8 as used
    from panels p join clients c on c.id = p.client_id cross join lateral plan_price(c.id, 'USD', p.plan_id, clock_today()) f
    where c.email = 'ana@demo.test' group by c.id`.execute(pool.kysely)
  expect(rows[0]?.monthly).toBe('104.00')
  // About 3.87, by the length of the month.
  expect(rows[0]?.used).toBeGreaterThan(3.75)
  expect(rows[0]?.used).toBeLessThan(4.2)
})

test('accounts are in three currencies, and what is in them costs what their lists say', async () => {
  const { rows } = await sql<{ email: string; currency: string; lists: string[] | null }>`
    select split_part(c.email::text, '@', 1) as email, cur.code as currency,
      (select array_agg(distinct b.currency) from usages u join usage_lines l on l.usage_id = u.id
        left join prices p on p.id = l.price_id left join plan_prices f on f.id = l.plan_price_id
        join price_lists b on b.id in (p.price_list_id, f.price_list_id) where u.client_id = c.id) as lists
    from clients c join currencies cur on cur.id = c.currency_id where c.id not in
      (select c.id from clients c join admins a on a.auth_id = c.auth_id) order by c.id`.execute(pool.kysely)
  expect(rows.map(({ email, currency, lists }) => `${email} ${currency} ${lists ?? 'nothing'}`)).toEqual([
    'ana USD USD',
    'mihai RON nothing',
    'ioana EUR EUR',
    'hans EUR EUR',
    'radu RON RON',
    'trial USD USD',
  ])
})

test('a whole month of a plan is on its bill at the monthly price, with its hours', async () => {
  const { rows } = await sql<{ name: string; net: string; hours: number }>`
    select l.description_en as name, l.net, 24 * extract(day from i.issue_date - 1)::int as hours
    from invoice_lines l join invoices i on i.id = l.invoice_id
    where l.description_en like 'Plan %' and i.id = (select max(i.id) from invoices i join clients c on c.id = i.client_id
      where c.email = 'ana@demo.test' and i.reason = 'service_bill')`.execute(pool.kysely)
  const said = rows.map(({ name, net }) => `${name.replace(/, .+, /, ': ')} ${net}`)
  const hours = `${rows[0]?.hours} h`
  expect(said.sort()).toEqual([
    `Plan Cluster 4: ${hours} 40.00`,
    `Plan Mail 24: ${hours} 12.00`,
    `Plan Old Web 2: ${hours} 12.00`,
    `Plan Start: ${hours} 8.00`,
    `Plan Start: ${hours} 8.00`,
    `Plan Web 3: ${hours} 24.00`,
  ])
})

test('the history of plans is as old as the use, and Radu changed his twenty days ago', async () => {
  const { rows } = await sql<{ name: string }>`select p.name from panels p
    where (select min(lower(h.during)) from panel_plans h where h.panel_id = p.id) is distinct from
      (select utc_start(min(u.usage_on)) from usages u where u.panel_id = p.id and u.resource_ref not like 'plan/%')`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([])
  type Had = {
    readonly attributes: { readonly starts_at: string; readonly ends_at: string | null }
    readonly relationships: { readonly plan: { readonly data: { readonly id: string } } }
  }
  const had: Had[] = await readBy('radu', 'panel-plans?sort=starts_at&include=plan')
  const plans: { id: string; attributes: { code: string } }[] = await readBy('radu', 'plans')
  const codeOf = ({ relationships }: Had) =>
    plans.find(({ id }) => id === relationships.plan.data.id)?.attributes.code
  expect(had.map(codeOf)).toEqual(['start', 'web-3'])
  expect(had[1]?.attributes.starts_at).toBe(had[0]?.attributes.ends_at)
  const { rows: ago } = await sql<{
    days: number
  }>`select clock_today() - (${had[1]?.attributes.starts_at}::timestamptz at time zone 'utc')::date as days`.execute(
    pool.kysely,
  )
  expect(ago).toEqual([{ days: 20 }])
})

test('rating the demo’s past again changes no cost', async () => {
  const { rows } = await sql<{ from: string; to: string }>`select (clock_today() - 100)::text as from,
    (clock_today() - 1)::text as to`.execute(pool.kysely)
  const [days] = rows
  if (!days) throw new Error('There is no clock.')
  // Today goes on: with each hour its fees grow.
  expect(await previewRerating(pool.kysely, days)).toEqual([])
})
