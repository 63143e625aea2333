import { refusals } from '@portico/contract/refusals/index.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { only, TestEngine, testVault } from '#test/support/engine.ts'
import { testPortal } from '#test/support/portal.ts'
import { checkEngines } from '#workspaces/engines/registry.ts'

const engine = new TestEngine()
const portal = await testPortal({ engines: only(engine) })
const db = portal.pool.kysely
const clock = { now: () => new Date('2026-03-18T12:00:00Z') }

/** The engine says by its health what it offers, as every minute. */
async function offering(offers: TestEngine['offers'], contract = '1.1'): Promise<void> {
  engine.contract = contract
  engine.offers = offers
  engine.verdict = { ok: true }
  engine.asked.length = 0
  await checkEngines({ pool: portal.pool, clock, vault: testVault, engines: only(engine) })
  engine.asked.length = 0
}

let named = 0

async function owner() {
  const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })
  const ask = (attributes: object, headers = {}) =>
    portal.as(ana).call('POST', '/api/v1/panels', {
      headers,
      body: {
        data: {
          type: 'panels',
          attributes: { name: `panel ${++named}`, ...attributes },
          relationships: { project: { data: { type: 'projects', id: String(ana.projects[0]) } } },
        },
      },
    })
  const panels = async () => (await portal.as(ana).get('/api/v1/panels')).page.total
  return { ana, ask, panels }
}

const at = '/data/attributes/domain'

test('a panel is made with a domain as DNS writes it, and shows it', async () => {
  await offering({ domain: 'optional' })
  const { ana, ask } = await owner()
  for (const [given, kept] of [
    ['Shop.Example.COM', 'shop.example.com'],
    ['example.org.', 'example.org'],
    ['știri.ro', 'xn--tiri-pxb.ro'],
    ['deep.github.io', 'deep.github.io'],
    [null, null],
  ]) {
    const made = await ask({ domain: given })
    expect([made.status, made.one.attributes?.domain]).toEqual([201, kept])
    const read = await portal.as(ana).get(`/api/v1/panels/${made.one.id}`)
    expect(read.one.attributes?.domain).toBe(kept)
  }
})

test.each([
  ['192.0.2.7', 'domain_is_address'],
  ['::1', 'domain_invalid'],
  ['0x7f.1', 'domain_is_address'],
  ['com', 'domain_invalid'],
  ['co.uk', 'domain_is_suffix'],
  ['github.io', 'domain_is_suffix'],
  ['xn--55qx5d.cn', 'domain_is_suffix'],
  ['公司.cn', 'domain_is_suffix'],
  ['localhost', 'domain_invalid'],
  ['', 'domain_invalid'],
  ['https://example.com/x', 'domain_invalid'],
  ['a b.example.com', 'domain_invalid'],
  ['-a.example.com', 'domain_invalid'],
  ['a..example.com', 'domain_invalid'],
  [`${'a'.repeat(64)}.example.com`, 'domain_invalid'],
  ['under_score.example.com', 'domain_invalid'],
  ['*.example.com', 'domain_invalid'],
])('%s is no domain of a panel, and leaves none', async (domain, code) => {
  await offering({ domain: 'optional', check: true })
  const { ask, panels } = await owner()
  expect((await ask({ domain })).faults).toEqual([`422 ${code} ${at}`])
  expect([await panels(), engine.asked]).toEqual([0, []])
})

test('a domain is given where the engine, or its plan, makes panels with one', async () => {
  const plan = { name: 'x', regions: [], limits: {} }
  const plan_details = [
    { ...plan, code: 'site', domain: 'required' as const },
    { ...plan, code: 'bare', domain: 'none' as const },
  ]
  const { ask, panels } = await owner()
  const [domain, plans] = ['shop.example.com', ['site', 'bare']]
  await offering({ plans, plan_details, domain: 'optional' })
  expect((await ask({ plan_code: 'site' })).faults).toEqual([`422 domain_needed ${at}`])
  expect((await ask({ plan_code: 'bare', domain })).faults).toEqual([`422 domain_not_offered ${at}`])
  await offering({ domain: 'required' })
  expect((await ask({})).faults).toEqual([`422 domain_needed ${at}`])
  await offering({})
  expect((await ask({ domain })).faults).toEqual([`422 domain_not_offered ${at}`])
  expect(await panels()).toBe(0)
})

test("a taken domain is refused in the person's language, and no panel is created", async () => {
  await offering({ domain: 'optional', check: true })
  engine.verdict = { ok: false, code: 'domain_taken', field: 'domain', message: 'x' }
  const { ask, panels } = await owner()
  const domain = 'shop.example.com'
  const refused = await ask({ domain })
  expect(refused.faults).toEqual([`422 domain_taken ${at}`])
  expect([refused.errors[0]?.detail, await panels()]).toEqual([refusals.domain_taken[1], 0])
  expect(engine.asked).toHaveLength(1)
})

test.each([
  ['no_such_plan', 'plan', '422 plan_not_offered /data/attributes/plan_code'],
  ['name_invalid', 'name', '422 panel_name_refused /data/attributes/name'],
  ['domain_invalid', 'domain', `422 domain_refused ${at}`],
  ['own_word', 'something', '422 panel_refused'],
  ['own_word', null, '422 panel_refused'],
])('an engine that says %s of %s is answered with %s', async (code, field, fault) => {
  await offering({ domain: 'optional', check: true })
  engine.verdict = { ok: false, code, field }
  const { ask, panels } = await owner()
  expect([(await ask({})).faults, await panels()]).toEqual([[fault], 0])
})

test('an engine that does not answer is no objection', async () => {
  await offering({ domain: 'optional', check: true })
  const { ask } = await owner()
  engine.failures.push(new Error('away'))
  expect((await ask({ domain: 'shop.example.com' })).status).toBe(201)
})

test('without the permission to add panels the engine is not asked', async () => {
  await offering({ domain: 'optional', check: true })
  const { ana } = await owner()
  const stranger = await makeAccount(portal.pool, { projects: 1, panels: 0 })
  const project = { data: { type: 'projects', id: String(ana.projects[0]) } }
  const attributes = { name: 'x', domain: 'shop.example.com' }
  const body = { data: { type: 'panels', attributes, relationships: { project } } }
  expect((await portal.as(stranger).post('/api/v1/panels', body)).status).toBe(404)
  expect(engine.asked).toEqual([])
})

test('a repeated request gets its first answer, although its domain is taken by now', async () => {
  await offering({ domain: 'optional', check: true })
  const { ask, panels } = await owner()
  const attributes = { name: 'once', domain: 'shop.example.com' }
  const key = { 'idempotency-key': 'panel-once' }
  const first = await ask(attributes, key)
  engine.verdict = { ok: false, code: 'domain_taken', field: 'domain' }
  const again = await ask(attributes, key)
  expect([first.status, again.status, again.one.id]).toEqual([201, 201, first.one.id])
  expect([await panels(), engine.asked]).toEqual([1, ['check once']])
})

test('the offers of an engine are stored as sent, with the version of its contract', async () => {
  const regions = [{ code: 'eu', name: 'Europe', open: true }]
  await offering({ domain: 'optional', regions, read_seconds: 600 })
  const row = () =>
    db.selectFrom('panel_engines').select(['contract', 'capabilities']).executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({
    contract: '1.1',
    capabilities: { domain: 'optional', regions, read_seconds: 600 },
  })
  await offering({}, '1.0')
  expect(await row()).toMatchObject({ contract: '1.0' })
})
