import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import { makeAccount } from './support/account.ts'
import { testDatabase } from './support/database.ts'
import { businessTime } from './support/money.ts'
import { at } from './support/plans.ts'
import { temporaryFolder } from './support/temporary.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { connection, pool } = await testDatabase(2)
const db = pool.kysely
const { folder, remove } = temporaryFolder()
afterAll(remove)
// Ahead of the calendar by more than anybody waits, so that the day is the same for the command.
const today = '2099-11-20'
beforeEach(() => businessTime(pool, `${today}T08:00:00Z`))

const { host = '', port = 5432, user = '', database } = connection
const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`

function plans(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/plans.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: url },
  })
  return {
    status,
    text: stdout,
    said: (stdout + stderr)
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  }
}

type Fee = { plan: string; from: string; to: string | null; monthly: string }
type File = {
  plans: { code: string; state: string; limits: Record<string, number>; [part: string]: unknown }[]
  price_lists: {
    code: string
    currency: string
    default: boolean
    fees: Fee[]
    meters: { plan: string | null; [part: string]: unknown }[]
  }[]
}

const exported = (): File => JSON.parse(plans('export').text)

function imported(file: File, ...more: string[]) {
  const name = path.join(folder, 'plans.json')
  fs.writeFileSync(name, JSON.stringify(file))
  return plans('import', name, ...more)
}

const fees = (file: File) => {
  const list = file.price_lists.find(({ code }) => code === 'standard')
  if (!list) throw new Error('There is no standard list.')
  return list.fees
}

const web = {
  code: 'web-3',
  name: { en: 'Web 3', ro: 'Web 3' },
  description: { en: '', ro: '' },
  kind: 'web_hosting',
  needs_domain: false,
  state: 'offered',
  position: 1,
  limits: { domains: 3 },
  engines: [{ engine: 'simulated', plan: 'standard', regions: ['eu-central'] }],
}

test('a plan is offered once every currency has its prices, and what lacks is named', async () => {
  const file = exported()
  file.plans.push(web)
  expect(imported(file, '--apply').said).toEqual([
    'Prices are missing for what is offered or used. Nothing was changed.',
    'USD  web-3  fee',
  ])
  fees(file).push({ plan: 'web-3', from: today, to: null, monthly: '8.00' })
  file.price_lists.push({ code: 'euro', currency: 'EUR', default: true, fees: [], meters: [] })
  const lacking = imported(file, '--apply')
  expect(lacking.status).toBe(1)
  expect(lacking.said).toEqual(expect.arrayContaining(['EUR  web-3  fee', 'EUR  web-3  cpu_hours']))
  expect(exported().plans).toEqual([])

  file.price_lists.pop()
  expect(imported(file).said.at(-1)).toMatch(/Nothing was changed; --apply does\.$/)
  expect(exported().plans).toEqual([])
  expect(imported(file, '--apply')).toMatchObject({ status: 0 })
  expect(exported()).toEqual(file)
  expect(imported(file).said).toEqual(['The file matches the current plans: nothing to change.'])
  const { rows } = await sql<{ about: string }>`select about from plan_changes order by id`.execute(db)
  expect(rows.map(({ about }) => about)).toEqual(['plan web-3', `standard web-3 fee from ${today}`])
})

test('a higher price waits for the notice, and its effect is shown for every account', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await at(db, '2099-11-21T00:00:00Z', (tx) =>
    sql`update panels set plan_id = (select id from plans where code = 'web-3') where id = ${ana.panels[0]}`.execute(
      tx,
    ),
  )
  await businessTime(pool, '2099-12-21T08:00:00Z')
  await feedPlans(db)
  await rateUsage(db)
  const file = exported()
  const change = (from: string) => {
    fees(file).splice(
      0,
      2,
      { plan: 'web-3', from: today, to: from, monthly: '8.00' },
      { plan: 'web-3', from, to: null, monthly: '9.00' },
    )
    return imported(file)
  }
  const notice = 'Prices cannot change like this. Nothing was changed.'
  expect(change('2100-01-19').said).toEqual([
    notice,
    'standard web-3 fee: a dearer price begins on 2100-01-20 at the earliest.',
  ])
  expect(change('2099-12-01').said).toEqual([
    notice,
    'standard web-3 fee: what counted on 2099-12-01 cannot change; usage:rerate is for that.',
  ])
  // Ten days of November and twenty of December, at 8 and at 9 a month.
  expect(change('2100-01-20').said).toEqual([
    `changed: standard web-3 fee from ${today}`,
    'new: standard web-3 fee from 2100-01-20',
    `client ${ana.id}: 7.827957 USD would have been 8.806452 (+0.978495)`,
    '2 changes; 1 accounts would have paid another amount for the last 30 days. Nothing was changed; --apply does.',
  ])
  const { rows } =
    await sql`select amount from usage_lines where plan_price_id is not null and amount > 0.3`.execute(db)
  expect(rows).toEqual([])
  expect(imported(file, '--apply')).toMatchObject({ status: 0 })
  expect(exported()).toEqual(file)
})

test('a price with a plan that replaces a cheaper one for any plan, or ends before a dearer one, waits for the notice', () => {
  const ofWeb = (from: string, to: string | null, unit_price: string) => {
    const file = exported()
    const list = file.price_lists.find(({ code }) => code === 'standard')
    const others = list?.meters.filter(({ plan }) => plan !== 'web-3') ?? []
    const terms = { unit_price, included_per_day: '0', tiers: null }
    list?.meters.splice(0, Number.POSITIVE_INFINITY, ...others, {
      meter: 'cpu_hours',
      plan: 'web-3',
      kind: '',
      from,
      to,
      ...terms,
    })
    return file
  }
  const fault = 'standard web-3 cpu_hours: a dearer price begins on 2099-12-20 at the earliest.'
  expect(imported(ofWeb('2099-12-19', null, '0.01')).said).toContain(fault)
  expect(imported(ofWeb('2099-12-20', null, '0.01'))).toMatchObject({ status: 0 })
  expect(imported(ofWeb(today, null, '0'), '--apply')).toMatchObject({ status: 0 })
  expect(imported(ofWeb(today, '2099-12-19', '0')).said).toContain(fault)
  expect(imported(ofWeb(today, '2099-12-20', '0'))).toMatchObject({ status: 0 })
  // Ten commands are started.
}, 240_000)

test('buyers keep their terms: limits only rise, and an offered plan is no draft again', () => {
  const file = exported()
  const [plan] = file.plans
  if (!plan) throw new Error('There is no plan.')
  plan.limits = { domains: 2 }
  expect(imported(file, '--apply').said[0]).toMatch(/^Limits of a plan that was offered only rise\./)
  plan.limits = {}
  expect(imported(file, '--apply')).toMatchObject({ status: 0 })
  plan.state = 'draft'
  expect(imported(file, '--apply').said[0]).toMatch(/^A plan keeps its code, and is no draft again/)
  plan.state = 'retired'
  expect(imported(file, '--apply')).toMatchObject({ status: 0 })
})

test('faults of the file are reported with their place', () => {
  const file = exported()
  file.plans.push({ ...web, code: 'other', engines: [{ engine: 'none', plan: 'x', regions: [] }] })
  expect(imported(file).said).toEqual([
    'Names are unknown. Nothing was changed.',
    'The portal does not know this: engine none.',
  ])
  file.plans.push({ ...web, code: 'Bad Code' })
  expect(imported(file).said[1]).toMatch(/^In plans\.\d+\.code: /)
  expect(plans('import').said[0]).toMatch(/^Plans, their limits and engines/)
})
