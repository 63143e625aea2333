import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeOffered, makePlans } from '#test/support/plans.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })
const me = portal.as(ana)
let named = 0

const capable = (more: object) =>
  sql`update panel_engines set capabilities = capabilities || ${JSON.stringify(more)}::jsonb`.execute(db)

const add = (attributes: object, language = 'en') =>
  me.call('POST', '/api/v1/panels', {
    headers: { 'accept-language': language },
    body: {
      data: {
        type: 'panels',
        attributes: { name: `panel ${++named}`, ...attributes },
        relationships: { project: { data: { type: 'projects', id: String(ana.projects[0]) } } },
      },
    },
  })
const inRomanian = async (attributes: object) =>
  (await add(attributes, 'ro')).errors.map(({ detail }) => detail)

const panels = async () => (await me.get('/api/v1/panels')).page.total
const atPlan = '/data/attributes/plan_code'
const atRegion = '/data/attributes/region'
const atDomain = '/data/attributes/domain'

await capable({ plans: ['standard', 'other'] })
const { 'web-3': web = 0, 'mail-24': mail = 0 } = await makePlans(db, { 'web-3': '8.00', 'mail-24': '3.00' })

afterEach(() => sql`update panel_engines set health = 'unknown', disabled_at = null`.execute(db))

test('without offered plans a panel needs none, and may name one of its engine but no region', async () => {
  expect((await add({})).status).toBe(201)
  const made = await add({ plan_code: 'standard' })
  expect(made.one.attributes).toMatchObject({ plan_code: 'standard', region: null })
  expect((await add({ plan_code: 'web-3' })).faults).toEqual([`422 plan_not_offered ${atPlan}`])
  expect((await add({ region: 'eu-west' })).faults).toEqual([`422 region_not_offered ${atRegion}`])
})

test('once a plan is offered a panel needs one that is, and a refusal leaves no panel', async () => {
  await makeOffered(db, { start: '2.00' })
  const before = await panels()
  for (const [sent, en, ro] of [
    [{}, `422 plan_needed ${atPlan}`, 'Alege un plan'],
    [{ plan_code: null }, `422 plan_needed ${atPlan}`, 'Alege un plan'],
    [{ plan_code: 'nothing' }, `422 plan_not_offered ${atPlan}`, 'Acest plan nu este disponibil'],
    [{ plan_code: 'web-3' }, `422 plan_not_offered ${atPlan}`, 'Acest plan nu este disponibil'],
    [{ plan_code: 'standard' }, `422 plan_not_offered ${atPlan}`, 'Acest plan nu este disponibil'],
    [
      { plan_code: 'start', region: 'mars' },
      `422 region_not_offered ${atRegion}`,
      'Acest plan nu este disponibil în această regiune',
    ],
  ] as const) {
    expect((await add(sent)).faults).toEqual([en])
    expect(await inRomanian(sent)).toEqual([ro])
  }
  expect(await panels()).toBe(before)
})

test('a panel of a plan says its code, and is asked of its engine by the name that it has there', async () => {
  const made = await add({ plan_code: 'start' })
  expect(made.status).toBe(201)
  expect(made.one.attributes).toMatchObject({ plan_code: 'start', region: null, status: 'provisioning' })
  const row = await db
    .selectFrom('panels')
    .innerJoin('plans', 'plans.id', 'panels.plan_id')
    .select(['plans.code', 'panels.plan_code as at_engine'])
    .where('panels.id', '=', Number(made.one.id))
    .executeTakeFirst()
  expect(row).toEqual({ code: 'start', at_engine: 'standard' })
  // Nothing is charged before the engine has made it.
  expect((await me.get(`/api/v1/panel-plans?filter[panel_id]=${made.one.id}`)).page.total).toBe(0)
})

test('with several regions one must be chosen, and the engine that has it makes the panel', async () => {
  const { rows } = await sql<{
    id: number
  }>`insert into panel_engines (code, name, kind, base_url, capabilities)
    select 'second', 'Second', 'http', 'http://engine.test', capabilities from panel_engines where is_default returning id`.execute(
    db,
  )
  const [second] = rows
  await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan, regions) values
    (${web}, default_panel_engine(), 'standard', '{eu-west}'), (${web}, ${second?.id}, 'other', '{eu-west,eu-north}')`.execute(
    db,
  )
  await sql`update plans set state = 'offered' where id = ${web}`.execute(db)
  expect((await add({ plan_code: 'web-3' })).faults).toEqual([`422 region_needed ${atRegion}`])
  expect(await inRomanian({ plan_code: 'web-3' })).toEqual(['Alege o regiune'])
  const engineOf = async (region: string) => {
    const { one } = await add({ plan_code: 'web-3', region })
    const { panel_engine_id: engine, region: place } = one.attributes ?? {}
    return [place, engine === second?.id ? 'second' : 'default']
  }
  expect(await engineOf('eu-west')).toEqual(['eu-west', 'default'])
  expect(await engineOf('eu-north')).toEqual(['eu-north', 'second'])
  await sql`update panel_engines set health = 'down' where is_default`.execute(db)
  expect(await engineOf('eu-west')).toEqual(['eu-west', 'second'])
})

test('a plan that no engine makes at the moment is refused', async () => {
  const before = await panels()
  for (const broken of [`health = 'down'`, 'disabled_at = now()']) {
    await sql`update panel_engines set ${sql.raw(broken)}`.execute(db)
    expect((await add({ plan_code: 'start' })).faults).toEqual([`422 plan_not_carried ${atPlan}`])
  }
  expect(await inRomanian({ plan_code: 'start' })).toEqual([
    'Momentan nu se pot adăuga panouri cu acest plan. Alege alt plan.',
  ])
  await sql`update panel_engines set health = 'unknown', disabled_at = null`.execute(db)
  await capable({ plans: ['other'] })
  expect((await add({ plan_code: 'start' })).faults).toEqual([`422 plan_not_carried ${atPlan}`])
  await capable({ plans: ['standard', 'other'] })
  expect(await panels()).toBe(before)
})

test('a plan that needs a domain takes one, and is not made by an engine that has none', async () => {
  await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan) values (${mail}, default_panel_engine(), 'other')`.execute(
    db,
  )
  await sql`update plans set state = 'offered', needs_domain = true where id = ${mail}`.execute(db)
  const domain = 'Shop.Example.com'
  expect((await add({ plan_code: 'mail-24', domain })).faults).toEqual([`422 plan_not_carried ${atPlan}`])
  await capable({ domain: 'optional' })
  expect((await add({ plan_code: 'mail-24' })).faults).toEqual([`422 domain_needed ${atDomain}`])
  expect((await add({ plan_code: 'mail-24', domain: '192.0.2.1' })).faults).toEqual([
    `422 domain_is_address ${atDomain}`,
  ])
  expect((await add({ plan_code: 'mail-24', domain })).one.attributes).toMatchObject({
    plan_code: 'mail-24',
    domain: 'shop.example.com',
  })
})

test('the portal logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
