import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeConfirmedAccount } from '#test/support/account.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'

let engine = new SimulatedEngine(systemClock, '')
/** How many adoptions are done, and lose their answer. */
let lost = 0
/** How many lists wait for each other, so that nobody acts before all have read. */
let together = 1
const waiting: (() => void)[] = []
function meet(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (waiting.length < together) return promise
  // The lists that they ask for later do not wait.
  together = 1
  for (const go of waiting.splice(0)) go()
  return promise
}
const asked = () =>
  new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        const answer: unknown = await value.apply(target, given)
        if (name === 'listPanels') await meet()
        if (name === 'releasePanel' && unanswered-- > 0) throw new Error('There was no answer.')
        if (name === 'adoptPanel' && lost-- > 0) throw new Error('The answer was lost.')
        return answer
      }
    },
  })
const portal = await testPortal({ engines: { open: asked } })
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const { list: engines } = await admin.get(`${base}/desk-engines`)
const url = `${base}/desk-engines/${engines[0]?.id}`
const offers = (words: object) =>
  sql`update panel_engines set capabilities = capabilities || ${JSON.stringify(words)}::jsonb`.execute(db)
const act = (verb: string, data: object = {}, who: Visitor = admin) =>
  who.post(`${url}/-actions/${verb}`, { data })
const inputOf = (verb: string) => (verb === 'takeOver' ? { accounts: [] } : {})
const verbs = ['accounts', 'takeOver', 'release']

let named = 0
let unanswered = 0
const add = (email: string | null, name = 'shop') => {
  const id = `sim-${8_000_000 + ++named}-web-3`
  engine.accounts.add(id, { name, owner: { name: 'Somebody', email } })
  return id
}
const panelsOf = async (who: Account) =>
  (await portal.as(who).get(`${base}/panels?sort=name&page[size]=100`)).list.map(
    ({ attributes }) => attributes?.name,
  )
const startsOf = async (id: string) =>
  (await engine.listResources(id, 'server')).items.map(({ spec }) => spec.up_since)

let ana: Account
beforeEach(async () => {
  engine = new SimulatedEngine(systemClock, '')
  lost = 0
  unanswered = 0
  together = 1
  ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  await offers({ list: true, adopt: true })
  await sql`delete from panel_takeovers`.execute(db)
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const chosen = (...ids: readonly string[]) => ids.map((id) => ({ id, client_id: ana.id }))

test('an account that fits another client by now than the one shown is linked to nobody', async () => {
  const id = add(ana.email)
  const mihai = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const wrong = [{ id, client_id: mihai.id }]
  expect((await act('takeOver', { accounts: wrong })).json).toEqual({ linked: 0, refused: 1, unclear: 0 })
  expect([await panelsOf(ana), await panelsOf(mihai)]).toEqual([[], []])
})

test('an administrator sees whom each account fits and its plan here, links those, and takes it back', async () => {
  const [mine, nobodys] = [add(ana.email), add('nobody@elsewhere.example', 'blog')]
  const { web = 0 } = await makePlans(db, { web: '3.00' })
  await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan)
    values (${web}, (select id from panel_engines limit 1), 'web-3')`.execute(db)
  const starts = await startsOf(mine)
  expect((await act('accounts')).json).toEqual({
    accounts: [
      expect.objectContaining({
        id: mine,
        name: 'shop',
        plan: 'web-3',
        our_plan: 'web',
        match: { client_id: ana.id, email: ana.email, by: 'mail' },
        candidates: 1,
      }),
      expect.objectContaining({ id: nobodys, match: null, candidates: 0 }),
    ],
    unclear: 0,
    linked: 0,
  })
  expect((await act('takeOver', { accounts: chosen(mine, nobodys, 'sim-1-unknown') })).json).toEqual({
    linked: 1,
    refused: 1,
    unclear: 0,
  })
  expect(await panelsOf(ana)).toEqual(['shop'])
  expect((await act('accounts')).json).toMatchObject({ accounts: [{ id: nobodys }], linked: 1 })
  expect((await act('release')).json).toEqual({ released: 1, left: 0, next: null })
  expect(await panelsOf(ana)).toEqual([])
  expect((await act('accounts')).json).toMatchObject({ accounts: [{ id: mine }, { id: nobodys }], linked: 0 })
  expect(await startsOf(mine)).toEqual(starts)
  const { rows } = await sql`select distinct verb, type, reason from staff_actions
    where client_id = ${ana.id} order by verb`.execute(db)
  expect(rows).toEqual(
    ['release', 'takeOver'].map((verb) => ({ verb, type: 'desk-engines', reason: 'A test asks for it' })),
  )
})

test('an account whose answer was lost is asked for again by the next press, and is one panel', async () => {
  const id = add(ana.email)
  lost = 1
  expect((await act('takeOver', { accounts: chosen(id) })).json).toEqual({
    linked: 0,
    refused: 0,
    unclear: 1,
  })
  expect((await act('accounts')).json).toEqual({ accounts: [], unclear: 1, linked: 0 })
  expect((await act('takeOver', { accounts: [] })).json).toEqual({ linked: 1, refused: 0, unclear: 0 })
  expect(await panelsOf(ana)).toEqual(['shop'])
})

test('an account whose adoption another call has ended meanwhile is not begun again', async () => {
  const id = add(ana.email)
  lost = 1
  await act('takeOver', { accounts: chosen(id) })
  const list = engine.listPanels.bind(engine)
  let lists = 0
  engine.listPanels = async (...given) => {
    if (++lists === 2) await sql`update panel_takeovers set state = 'refused', ended_at = now()`.execute(db)
    return list(...given)
  }
  expect((await act('takeOver', { accounts: [] })).json).toEqual({ linked: 0, refused: 1, unclear: 0 })
})

test('an account that has an owner by then is refused, and no panel is left', async () => {
  const id = add(ana.email)
  const adopt = engine.accounts.adopt.bind(engine.accounts)
  engine.accounts.adopt = (account) => adopt(account, 77) && false
  expect((await act('takeOver', { accounts: chosen(id) })).json).toEqual({
    linked: 0,
    refused: 1,
    unclear: 0,
  })
  expect(await panelsOf(ana)).toEqual([])
})

test('two administrators at once make one panel of an account', async () => {
  const id = add(ana.email)
  const other = portal.staff(await makeAdmin(pool, 'admin'))
  together = 2
  const answers = await Promise.all(
    [admin, other].map((who) => act('takeOver', { accounts: chosen(id) }, who)),
  )
  expect(answers.map(({ json }) => json)).toEqual(answers.map(() => ({ linked: 1, refused: 0, unclear: 0 })))
  expect(await panelsOf(ana)).toEqual(['shop'])
})

test('more than fifty are linked and released in several calls', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => add(ana.email, `site ${n}`))
  expect((await act('takeOver', { accounts: chosen(...ids) })).faults).toEqual([
    expect.stringMatching(/^422 .* \/data\/accounts$/),
  ])
  expect((await act('takeOver', { accounts: chosen(...ids.slice(0, 50)) })).json).toMatchObject({
    linked: 50,
  })
  expect((await act('takeOver', { accounts: chosen(...ids.slice(50)) })).json).toMatchObject({ linked: 10 })
  // The first ones are left without an answer, and hold nothing up.
  unanswered = 50
  const first = JSON.parse((await act('release')).text)
  expect(first).toEqual({ released: 0, left: 50, next: expect.any(Number) })
  expect((await act('release', { after: first.next })).json).toEqual({ released: 10, left: 0, next: null })
  expect(await panelsOf(ana)).toHaveLength(50)
  expect((await act('release')).json).toEqual({ released: 50, left: 0, next: null })
  expect(await panelsOf(ana)).toEqual([])
})

test('an engine that is disabled, has no list or does not answer is refused, and nothing is changed', async () => {
  add(ana.email)
  engine.faults.failing = 100
  for (const verb of ['accounts', 'takeOver'])
    expect((await act(verb, inputOf(verb))).faults).toEqual(['502 engine_unavailable'])
  await offers({ adopt: false })
  for (const verb of verbs)
    expect((await act(verb, inputOf(verb))).faults).toEqual(['409 engine_without_list'])
  await offers({ adopt: true })
  await act('disable')
  for (const verb of verbs) expect((await act(verb, inputOf(verb))).faults).toEqual(['409 engine_disabled'])
  await act('enable')
  expect(await panelsOf(ana)).toEqual([])
})

test('administrators alone take over, with a reason, and link with a sign-in of the last minutes', async () => {
  for (const [who, status] of [
    [portal.staff(await makeAdmin(pool)), 403],
    [portal.staff(await makeAdmin(pool, 'readonly')), 403],
    [portal.staff(await makeAdmin(pool, 'billing')), 404],
    [portal.as(ana), 404],
    [portal.nobody, 404],
  ] as const)
    for (const verb of verbs) expect((await act(verb, inputOf(verb), who)).status).toBe(status)
  const old = portal.staff(await makeAdmin(pool, 'admin'), 'an hour ago')
  for (const verb of ['takeOver', 'release'])
    expect((await act(verb, inputOf(verb), old)).faults).toEqual(['403 recent_sign_in_required'])
  expect((await admin.post(`${base}/desk-engines/999999/-actions/accounts`, { data: {} })).status).toBe(404)
  expect((await act('takeOver', { accounts: 'all' })).status).toBe(422)
  expect((await act('release', { accounts: [] })).status).toBe(422)
})
