import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// Requests for a change of plan and their refusals; carry-out-plan.test.ts covers the engine.

const portal = await testPortal({ engines: only(new TestEngine()) })
const { pool } = portal
const db = pool.kysely
const plans = await makePlans(db, {
  small: '3.10',
  'web-3': '8.00',
  site: '5.00',
  other: '9.00',
  draft: '1.00',
})
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
  select id, default_panel_engine(), 'e-' || code from plans where code in ('small', 'web-3', 'site')`.execute(
  db,
)
await sql`insert into plan_limits (plan_id, what, amount)
  select ${plans.small}::int8, what, amount from (values ('servers', 1), ('domains', 3), ('mailboxes', 2), ('disk_gb', 100)) x (what, amount)`.execute(
  db,
)
await sql`update plans set state = 'offered', needs_domain = (code = 'site') where code <> 'draft'`.execute(
  db,
)

const engineIs = (more: object) =>
  sql`update panel_engines set contract = '1.1', capabilities = capabilities || ${JSON.stringify({
    change_plan: true,
    plans: ['e-small', 'e-web-3', 'e-site'],
    ...more,
  })}::jsonb where is_default`.execute(db)

const ana = await makeAccount(pool, { projects: 1, panels: 1 })
const [panel = 0] = ana.panels
const [project = 0] = ana.projects
const owner = portal.as(ana)
const web3 = { plan: 'web-3', expects: { monthly: 8, currency: 'USD' } }
const url = (id = panel) => `${base}/panels/${id}/-actions/changePlan`
const change = (visitor: Visitor, body: object = web3) => visitor.post(url(), body)

beforeEach(async () => {
  await engineIs({})
  await sql`delete from panel_plan_changes`.execute(db)
  await sql`delete from client_price_lists`.execute(db)
  await sql`update panels set status = 'active', plan_id = null, plan_code = 'e-old', external_id = 'ext' where id = ${panel}`.execute(
    db,
  )
})

const waiting = () =>
  db
    .selectFrom('panel_plan_changes')
    .select(['plan_id', 'engine_plan', 'monthly', 'currency', 'actor', 'state'])
    .where('panel_id', '=', panel)
    .execute()

test('the owner asks for another plan: it waits, the panel says so, and nothing has changed yet', async () => {
  const answer = await change(owner)
  const asked = { plan_code: 'web-3', state: 'waiting', reason: null, exceeded: [] }
  expect([answer.status, answer.json]).toEqual([200, { ...asked, asked_at: expect.any(String) }])
  expect(await waiting()).toEqual([
    {
      plan_id: plans['web-3'],
      engine_plan: 'e-web-3',
      monthly: '8.00',
      currency: 'USD',
      actor: { subject: `client-${ana.id}`, kind: 'owner' },
      state: 'waiting',
    },
  ])
  const { attributes } = (await owner.get(`${base}/panels/${panel}`)).one
  expect(attributes).toMatchObject({ plan_code: 'e-old', plan_change: asked })
  const { rows } = await sql`select from panel_plans where panel_id = ${panel}`.execute(db)
  expect(rows).toEqual([])
  const jobs = await sql<{
    key: string
  }>`select key from graphile_worker.jobs where task_identifier = 'panel.plan'`.execute(db)
  expect(jobs.rows).toEqual([{ key: `panel.plan:${panel}` }])
})

test('a second change is refused while one waits, also when both come at once', async () => {
  const answers = await Promise.all([change(owner), change(owner)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await change(owner)).faults).toEqual(['409 plan_change_waiting'])
  expect(await waiting()).toHaveLength(1)
})

const at = '/data/plan'

test.each([
  ['is unknown', { plan: 'gold' }, '', `422 plan_not_offered ${at}`],
  ['is a draft', { plan: 'draft' }, '', `422 plan_not_offered ${at}`],
  ['is the code of the engine', { plan: 'e-web-3' }, '', `422 plan_not_offered ${at}`],
  ['its engine does not have', { plan: 'other' }, '', `422 plan_not_on_engine ${at}`],
  ['needs a domain', { plan: 'site' }, '', `422 plan_needs_domain ${at}`],
  ['the panel has', {}, `plan_id = ${plans['web-3']}`, `422 plan_same ${at}`],
  ['is for a suspended panel', {}, `status = 'suspended'`, '423 plan_of_suspended'],
  [
    'is for a panel that is being made',
    {},
    `status = 'provisioning', external_id = null`,
    '409 panel_not_ready',
  ],
  ['is for a panel that failed', {}, `status = 'error'`, '409 panel_not_ready'],
  ['was dearer when it was shown', { expects: { monthly: 9, currency: 'USD' } }, '', '409 price_changed'],
  ['was shown in another currency', { expects: { monthly: 8, currency: 'EUR' } }, '', '409 price_changed'],
  ['was shown without a price', { expects: { monthly: null, currency: 'USD' } }, '', '409 price_changed'],
])('a plan that %s is refused, and leaves no trace', async (_what, more, state, fault) => {
  if (state !== '') await sql`update panels set ${sql.raw(state)} where id = ${panel}`.execute(db)
  expect((await change(owner, { ...web3, ...more })).faults).toEqual([fault])
  expect(await waiting()).toEqual([])
})

test('an engine that no longer lists a plan, or changes none, is not asked for it', async () => {
  await engineIs({ plans: [] })
  expect((await change(owner)).faults).toEqual([`422 plan_not_on_engine ${at}`])
  await engineIs({ change_plan: false })
  expect((await change(owner)).faults).toEqual([`422 plan_change_unsupported ${at}`])
})

test.each([
  [
    'en',
    [
      'Disk space (GB): 240 in use, and the plan allows 100.',
      'Mailboxes: 6 in use, and the plan allows 2.',
      'Servers: 3 in use, and the plan allows 1.',
    ],
  ],
  [
    'ro',
    [
      'Spațiu pe disc (GB): 240 în uz, iar planul permite 100.',
      'Căsuțe poștale: 6 în uz, iar planul permite 2.',
      'Servere: 3 în uz, iar planul permite 1.',
    ],
  ],
])('a plan that is too small is refused with each limit that it exceeds (%s)', async (language, details) => {
  const body = { plan: 'small', expects: { monthly: 3.1, currency: 'USD' } }
  const { errors } = await owner.call('POST', url(), { body, headers: { 'accept-language': language } })
  expect(errors.map(({ detail }) => detail)).toEqual(details)
  expect(errors.map(({ code, status }) => `${status} ${code}`)).toEqual(
    Array(3).fill('422 plan_limit_exceeded'),
  )
  expect(errors[2]).toMatchObject({ meta: { limit: 'servers', allowed: 1, used: 3 } })
  expect(await waiting()).toEqual([])
})

test.each([
  ['no plan', {}],
  ['no price', { plan: 'web-3' }],
  ['a price that is a text', { plan: 'web-3', expects: { monthly: '8', currency: 'USD' } }],
  ['more than is asked for', { ...web3, discount: 100 }],
])('%s is refused as malformed', async (_what, body) => {
  expect((await change(owner, body)).status).toBe(422)
  expect(await waiting()).toEqual([])
})

test('guests who may change panels may change their plan; others are refused, strangers see none', async () => {
  const guests = await Promise.all([1, 2, 3].map(() => makeAccount(pool, { projects: 1, panels: 0 })))
  const [adds, sees, pays] = guests
  if (!adds || !sees || !pays) throw new Error('Three guests are needed.')
  const rights = { add_panels: 'allowed' } as const
  await portal.share(ana, adds, { ...rights, ...custom(entry(project, rights)) })
  await portal.share(ana, sees, custom(entry(project)))
  await portal.share(ana, pays, { billing: 'allowed', my_workspaces: 'denied' })
  const stranger = await makeAccount(pool, { projects: 1, panels: 0 })
  const staff = portal.staff(await makeAdmin(pool, 'admin'))
  const reading = portal.key((await makeKey(pool, { client: ana.id, scopes: ['panels:read'] })).id)
  const visitors = [portal.as(sees), portal.as(pays), portal.as(stranger), portal.nobody, staff, reading]
  const statuses = await Promise.all(visitors.map(async (visitor) => (await change(visitor)).status))
  expect(statuses).toEqual([403, 404, 404, 401, 403, 403])
  expect(await waiting()).toEqual([])
  const small = { plan: 'small', expects: { monthly: 3.1, currency: 'USD' } }
  const refused = (await change(portal.as(adds), small)).errors
  expect(refused.map(({ detail, meta }) => [detail, meta?.used])).toContainEqual([
    'Mailboxes: more in use than the plan allows (2).',
    undefined,
  ])
  expect((await change(portal.as(adds))).status).toBe(200)
  expect(await waiting()).toMatchObject([{ actor: { subject: `client-${adds.id}`, kind: 'guest' } }])
})

test('a price of the account’s own is confirmed by who may know it, and by others unseen', async () => {
  await sql`with list as (insert into price_lists (code, currency) values ('own', 'USD') returning id),
    assigned as (insert into client_price_lists (client_id, price_list_id, valid) select ${ana.id}, id, '[2020-01-01,)' from list)
    insert into plan_prices (price_list_id, plan_id, valid, monthly) select id, ${plans['web-3']}, '[2020-01-01,)', 4 from list`.execute(
    db,
  )
  const guest = await makeAccount(pool, { projects: 1, panels: 0 })
  const rights = { add_panels: 'allowed' } as const
  await portal.share(ana, guest, { ...rights, ...custom(entry(project, rights)) })
  const key = portal.key(
    (await makeKey(pool, { client: ana.id, scopes: ['panels:read', 'panels:write'] })).id,
  )
  const expecting = (monthly: number | null) => ({ ...web3, expects: { monthly, currency: 'USD' } })
  for (const unseeing of [portal.as(guest), key]) {
    for (const guess of [4, 8])
      expect((await change(unseeing, expecting(guess))).faults).toEqual(['409 price_changed'])
    expect((await change(unseeing, expecting(null))).status).toBe(200)
    await sql`delete from panel_plan_changes`.execute(db)
  }
  expect((await change(owner, expecting(8))).faults).toEqual(['409 price_changed'])
  expect((await change(owner, expecting(4))).status).toBe(200)
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
