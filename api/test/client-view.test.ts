import * as ofAccount from '@portico/contract/calls/account/addresses.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import {
  accountingExportLocation,
  deskFileLocation,
  fileLocation,
  invoiceFileLocation,
} from '@portico/contract/calls/file-locations.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Answer } from './support/answer.ts'
import { testApp } from './support/app.ts'
import { dump } from './support/dump.ts'
import { makeGuests, makeWorld, models, type Probe, probesOf } from './support/matrix.ts'
import { Browser, letSignIn } from './support/people.ts'
import { type Method, testPortal, visitor } from './support/portal.ts'
import { typesOfStaff } from './support/rows.ts'
import { makeMember } from './support/staff.ts'
import { makeTicket } from './support/ticket.ts'

// Everything that the contract declares is asked for with the token of a view: each write is refused and changes no row, and
// what is read is what the owner reads, or is refused and named here.

const portal = await testPortal()
const { pool } = portal
const world = await makeWorld(portal, await makeGuests(portal, ['all']))
const { owner, ids } = world
await letSignIn(pool, owner)
// With the calls of the demo; everything is asked for within a minute.
const { app } = await testApp(pool, { env: { seed: 'demo', rateLimitScale: 100 } })
const member = await makeMember(pool, 'support')
const { ticket } = await makeTicket(pool, { client: owner.id, admin: member.admin })
await sql`update tickets set assigned_admin_id = ${member.admin} where id = ${ticket}`.execute(pool.kysely)
await portal
  .as(owner)
  .post(`${base}/tickets/${ticket}/-actions/grantStaffAccess`, { hours: 4, scope: 'account' })
const browser = new Browser(app)
await browser.signIn(member.email)
const opened = await visitor(app, browser.cookies.get('token')).call(
  'POST',
  `${base}/desk-clients/${owner.id}/-actions/seeAsClient`,
  { body: {}, headers: { 'portico-reason': 'A walk asks for it' } },
)
const view = visitor(app, String(Object(opened.json).token))

type Asked = { readonly key: string; readonly probe: Probe }
const probes: readonly Asked[] = models.flatMap((model) =>
  probesOf(model).map((probe) => ({ key: `${model.name} ${probe.name}`, probe })),
)

const faultsOf = (answers: readonly Answer[]) => [...new Set(answers.flatMap(({ faults }) => faults))]

/** Every call that is not JSON:API, and every file, with its method and an address. */
const calls: readonly (readonly [key: string, method: Method, path: string])[] = [
  ...Object.entries({ ...addresses, ...ofAccount }).flatMap(([name, value]) =>
    typeof value === 'object' ? [[name, value.method, value.path] as const] : [],
  ),
  ...Object.entries({
    ...fileLocation,
    ...invoiceFileLocation,
    ...deskFileLocation,
    ...accountingExportLocation,
  }).map(
    ([name, path]) =>
      [`file ${name}`, ['upload', 'archive'].includes(name) ? 'POST' : 'GET', base + path] as const,
  ),
  ['API description', 'GET', '/api/openapi.json'] as const,
  ...['tickets', 'invoices', 'transactions'].map(
    (type) => [`export of ${type}`, 'GET', `${base}/${type}/-actions/export`] as const,
  ),
].map(([key, method, path]) => [
  key,
  method,
  path.replace(/:\w+/g, (name) => (name === ':id' ? String(ids.invoices) : 'token')),
])

test('the token of a view was opened', async () => {
  expect(opened.faults).toEqual([])
  expect((await view.get(`${base}/clients/${owner.id}`)).status).toBe(200)
})

test('each write of each type is refused with the same sentence, and no row changes', async () => {
  const writes = probes.filter(({ probe }) => probe.writes)
  expect(writes.length).toBeGreaterThan(150)
  const before = await dump(pool)
  const answered: Record<string, string[]> = {}
  for (const { key, probe } of writes) answered[key] = faultsOf(await probe.ask(view, world))
  const other = Object.entries(answered).filter(([, faults]) => faults.join() !== '403 view_read_only')
  expect(other).toEqual([])
  expect(await dump(pool)).toBe(before)
})

test('each call of signing in, of the account and of files is refused, but whose account it is, and what anybody reads', async () => {
  const before = await dump(pool)
  const answered: Record<string, string> = {}
  for (const [key, method, path] of calls) {
    const body = method === 'POST' || method === 'PATCH' ? { body: { email: owner.email } } : {}
    const headers = { 'content-type': 'application/json' }
    const answer = await view.call(method, path, { ...body, ...(method === 'POST' && { headers }) })
    answered[key] = answer.faults.join() || String(answer.status)
  }
  const expected = calls.map(([key, method]) => {
    if (key === 'currentUser' || key === 'authConfig') return [key, '200']
    return [key, method === 'GET' ? '403 view_closed' : '403 view_read_only']
  })
  expect(answered).toEqual(Object.fromEntries(expected))
  expect(calls.length).toBeGreaterThan(60)
  expect(await dump(pool)).toBe(before)
})

/** What a view never reads although its owner does: keys, cards, and what asks somebody outside in the owner's name. */
const closed = [
  'api-keys list',
  'api-keys get',
  'api-keys project',
  'cards list',
  'cards get',
  'cards client',
  'stripe-setup-intents list',
  'stripe-setup-intents get',
  'stripe-setup-intents client',
  'stripe-setup-intents card',
  'transactions card',
  'automated-billing-rules card',
  'automated-billing-rules fallbackCard',
  'client-entities lookupCompany()',
  'clusters series()',
  'panels audit()',
  'panels quotePlan()',
  'servers series()',
]

test('a view reads what the owner reads, but what is closed to it, and nothing of staff', async () => {
  const before = await dump(pool)
  const differing: string[] = []
  const refused: string[] = []
  for (const { key, probe } of probes.filter(({ probe }) => !probe.writes)) {
    const seen = await probe.ask(view, world)
    if (faultsOf(seen).join() === '403 view_closed') {
      refused.push(key)
      continue
    }
    const cells = (answers: readonly Answer[]) => answers.map(probe.cell).join()
    const expected = cells(await probe.ask(portal.as(owner), world))
    if (cells(seen) !== expected) differing.push(`${key}: ${cells(seen)}, the owner ${expected}`)
  }
  expect(differing).toEqual([])
  expect(refused.filter((key) => !typesOfStaff.includes(key.split(' ')[0] ?? '')).sort()).toEqual(
    closed.sort(),
  )
  expect(await dump(pool)).toBe(before)
})

test('closed types are not reached through others: not by an include, and no card is named in a payment', async () => {
  const payments = `${base}/transactions/${ids.transactions}?include=card`
  const theirs = await portal.as(owner).get(payments)
  expect(theirs.included.map(({ type }) => type)).toEqual(['cards'])
  expect(theirs.one.attributes).toMatchObject({ card_last4: expect.stringMatching(/^\d{4}$/) })
  const seen = await view.get(payments)
  expect([seen.status, seen.included]).toEqual([200, []])
  expect(seen.one.attributes).toMatchObject({ card_brand: null, card_last4: null })
})

test('each verb of a row that a view sees is denied with the sentence of the refusal', async () => {
  for (const type of ['panels', 'projects', 'tickets', 'clients', 'share-permissions']) {
    const { meta } = (await view.get(`${base}/${type}/${ids[type]}`)).one
    const model = models.find(({ name }) => name === type)
    const writing = model?.verbs.filter((verb) => model.contract.actions[verb]?.method !== 'GET') ?? []
    expect(writing.length).toBeGreaterThan(0)
    for (const verb of writing) expect([type, verb, meta?.may?.[verb]]).toEqual([type, verb, false])
    expect(Object.values(meta?.denied ?? {}).join()).toContain('Aici nu se poate modifica nimic.')
  }
})

test('every statement of a view runs in a transaction that PostgreSQL keeps from writing', async () => {
  const said: string[] = []
  const stop = pool.observe((text) => said.push(text))
  const paths = [
    'panels',
    `panels/${ids.panels}?include=project`,
    `tickets/${ids.tickets}`,
    'tickets?page[number]=2',
  ]
  for (const path of [...paths, `panels/${ids.panels}/-actions/plan`, 'currencies'])
    expect((await view.get(`${base}/${path}`)).status).toBe(200)
  expect((await view.get('/api/user')).status).toBe(200)
  stop()
  let open = false
  const outside: string[] = []
  for (const text of said) {
    if (/^(start transaction|begin)/.test(text)) {
      expect(text).toContain('read only')
      open = true
    } else if (/^(commit|rollback)/.test(text)) open = false
    else if (!open && !text.includes('from client_views v')) outside.push(text)
  }
  expect(outside).toEqual([])
  expect(said.filter((text) => text.includes('read only')).length).toBeGreaterThan(5)
})

test('a read that would write fails for a view, and leaves nothing', async () => {
  // The view of the database that the list of tickets reads now notes each look, as a mistake could.
  await sql`create table looked (at timestamptz default now())`.execute(pool.kysely)
  await sql`create function look() returns boolean language plpgsql volatile as $$
    begin insert into looked default values; return true; end $$`.execute(pool.kysely)
  await sql`create or replace view open_staff_accesses as
    select t.id, t.id as ticket_id, 0::bigint as admin_id, now() as until, t.panel_id, t.client_id
    from tickets t where look()`.execute(pool.kysely)
  const looked = async () => (await sql`select from looked`.execute(pool.kysely)).rows.length
  expect((await view.get(`${base}/tickets/${ids.tickets}`)).status).toBe(500)
  expect(await looked()).toBe(0)
  // The owner's own request shows that it does write.
  expect((await portal.as(owner).get(`${base}/tickets/${ids.tickets}`)).status).toBe(200)
  expect(await looked()).toBeGreaterThan(0)
})
