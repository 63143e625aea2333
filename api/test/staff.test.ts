import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { describe, expect, test } from 'vitest'
import { modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from '#start/registry.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { changes, creations, makeGuests, makeWorld } from './support/matrix.ts'
import { Browser, person } from './support/people.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { makeAdmin, makeTicket } from './support/ticket.ts'

// Staff see what a rule says of staff. Every type is asked, so that one that is new is closed to them until it says otherwise.

const models = [...modelsOf(Object.values(served)).values()]
const portal = await testPortal()
const guests = await makeGuests(portal)
const world = await makeWorld(portal, guests)
const { owner, ids } = world
const silent = await makeWorld(portal, guests)
await makeTicket(portal.pool, { client: owner.id, department: 'billing' })
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(
    roles.map(async (role) => [role, portal.staff(await makeAdmin(portal.pool, role))] as const),
  ),
)

// Support reads the money of clients whose page they opened.
for (const { owner: client } of [world, silent]) await staff.support?.get(`${base}/desk-clients/${client.id}`)

/** The types that staff may read of an account with tickets, in addition to the public ones. */
const open = new Set([
  'admins',
  'canned-answers',
  'client-notes',
  'clients',
  'desk-clients',
  'desk-documents',
  'desk-home',
  'panels',
  'staff-preferences',
  'ticket-files',
  'ticket-messages',
  'ticket-ticket-emails',
  'tickets',
])
/** Other readable types that are not about tickets: number series, what an account uses, has and pays, and the rest of money for the roles that see it. */
const also: Readonly<Record<string, readonly string[]>> = {
  'invoice-series': roles,
  'invoice-proforma-series': roles,
  'account-balances': roles,
  'billing-logs': roles,
  'billing-profiles': roles,
  transactions: roles,
  'usage-notes': roles,
  usages: roles,
  invoices: roles,
  plans: roles,
  'panel-plans': roles,
  'share-invitations': roles,
  'share-permissions': roles,
  'price-lists': roles,
  'plan-prices': roles,
  prices: roles,
  'desk-checks': ['support', 'admin', 'readonly'],
  'ledger-checks': ['support', 'admin', 'readonly'],
  'desk-departments': ['admin'],
  'desk-engines': ['support', 'admin', 'readonly'],
  'desk-jobs': ['support', 'admin', 'readonly'],
  'desk-letters': roles,
  'desk-panels': roles,
  'desk-sign-ins': roles,
  'desk-limits': ['admin'],
  'desk-requests': ['admin'],
  'desk-staff': ['admin'],
  'access-policies': ['admin'],
  'operator-profiles': ['admin'],
  'operator-settings': ['admin'],
  brands: ['admin'],
  announcements: ['admin'],
  'published-texts': roles,
  'client-exports': ['admin'],
  'staff-actions': ['admin'],
  'staff-alerts': ['billing', 'admin'],
  ...Object.fromEntries(
    [
      'accounting-exports',
      'automated-billing-rules',
      'bank-lines',
      'bank-statements',
      'billing-policies',
      'cards',
      'client-features',
      'desk-debts',
      'desk-disputes',
      'desk-payments',
      'desk-plans',
      'policy-changes',
      'provider-days',
      'month-closes',
      'reports',
      'currency-policies',
      'e-invoices',
      'tax-offices',
      'vat-rates',
      'fx-rates',
      'invoice-drafts',
    ].map((name) => [name, ['billing', 'admin', 'readonly']]),
  ),
}
const isOpen = (name: string, role: string) => open.has(name) || (also[name]?.includes(role) ?? false)

const sent = (body: unknown) => ({ body, headers: { 'idempotency-key': randomUUID() } })

describe.each(models.filter(({ lookup }) => !lookup))('$name', ({ name, path, contract }) => {
  test.each(['support', 'admin', 'readonly'] as const)('%s', async (role) => {
    const reader = staff[role] ?? portal.nobody
    const [list, one] = [await reader.get(path), await reader.get(`${path}/${ids[name]}`)]
    expect([name, list.page.total > 0, one.status]).toEqual([
      name,
      isOpen(name, role),
      isOpen(name, role) ? 200 : 404,
    ])
    const body = creations[name]?.(world)
    const creates =
      name === 'desk-views' ||
      (name === 'client-exports' && role === 'admin') ||
      (['client-notes', 'ticket-messages'].includes(name) && role !== 'readonly') ||
      (['canned-answers', 'invoice-drafts', 'usage-notes'].includes(name) && role === 'admin') ||
      (['accounting-exports', 'document-archives'].includes(name) && role !== 'support')
    // No document of this portal has a file yet.
    const made = name === 'document-archives' ? 409 : 201
    const expected = creates ? [made] : [403, 404]
    if (body) expect(expected, name).toContain((await reader.call('POST', path, sent(body))).status)
  })

  test('does nothing for staff who only read', async () => {
    const reader = staff.readonly ?? portal.nobody
    const at = `${path}/${ids[name]}`
    const actions = Object.entries(contract.actions).filter(([, { method }]) => method === 'POST')
    for (const [action, { on }] of actions) {
      const url = `${on === 'one' ? at : path}/-actions/${action}`
      expect([403, 404]).toContain((await reader.call('POST', url, sent({}))).status)
    }
    expect([403, 404]).toContain((await reader.delete(at)).status)
    const change = { data: { type: name, id: String(ids[name]), attributes: changes[name] ?? { x: 1 } } }
    expect([403, 404]).toContain((await reader.patch(at, change)).status)
  })
})

test('a client is known by name while there is a ticket that the reader sees, and by no more', async () => {
  const support = staff.support ?? portal.nobody
  const billing = staff.billing ?? portal.nobody
  const read = await support.get(`${base}/clients/${owner.id}`)
  expect(Object.keys(read.one.attributes ?? {}).sort()).toEqual(['email', 'first_name', 'last_name'])
  expect((await support.get(`${base}/clients/${owner.id}/panels`)).status).toBe(404)
  expect((await billing.get(`${base}/clients/${owner.id}`)).status).toBe(200)
  expect((await billing.get(`${base}/clients/${silent.owner.id}`)).status).toBe(404)
  expect((await support.get(`${base}/clients?sort=createdAt`)).status).toBe(400)
})

test('staff read the panels of every client, and nothing of what is in them', async () => {
  for (const reader of Object.values(staff)) {
    const { list, page } = await reader.get(`${base}/panels?filter[client_id]=${silent.owner.id}`)
    expect(page.total).toBe(silent.owner.panels.length)
    expect(list[0]?.meta?.may).not.toMatchObject({ update: true })
    expect((await reader.get(`${base}/servers?filter[client_id]=${silent.owner.id}`)).page.total).toBe(0)
    expect((await reader.get(`${base}/panels/${silent.owner.panels[0]}/project`)).document.data).toBeNull()
  }
})

test('staff read the usage and charges of one account, and support no cards', async () => {
  const billing = staff.billing ?? portal.nobody
  const support = staff.support ?? portal.nobody
  const of = (client: number) => `filter[client_id]=${client}`
  for (const type of ['usages', 'usage-notes', 'billing-logs']) {
    const [here, there] = [
      await billing.get(`${base}/${type}?${of(owner.id)}`),
      await billing.get(`${base}/${type}?${of(silent.owner.id)}`),
    ]
    const owners = new Set(here.list.map(({ id }) => id))
    expect([type, owners.size > 0, there.list.some(({ id }) => owners.has(id))]).toEqual([type, true, false])
    expect((await billing.get(`${base}/${type}?${of(owner.id + 1_000_000)}`)).page.total).toBe(0)
    expect((await support.get(`${base}/${type}?${of(owner.id)}`)).list).toEqual(here.list)
  }
  const usage = `${base}/usages/${ids.usages}`
  expect((await billing.get(`${usage}/notes`)).status).toBe(200)
  // Workspaces are not theirs to see, also not from here.
  expect((await billing.get(`${usage}/project`)).document.data).toBeNull()
  expect((await support.get(`${usage}/notes`)).status).toBe(200)
  const cardOf = async (reader: Visitor) => {
    const { one } = await reader.get(`${base}/transactions/${ids.transactions}?include=card`)
    return [one.attributes?.card_last4 !== null, one.relationships?.card?.data !== null]
  }
  expect(await cardOf(billing)).toEqual([true, true])
  expect(await cardOf(support)).toEqual([false, false])
})

test('lists of staff over several accounts have no sums, because their currencies differ', async () => {
  const billing = staff.billing ?? portal.nobody
  const all = await billing.get(`${base}/usages`)
  expect(new Set(all.list.map(({ attributes }) => attributes?.client_id))).toEqual(
    new Set([owner.id, silent.owner.id]),
  )
  expect(all.document.meta).not.toHaveProperty('totals')
  const one = await billing.get(`${base}/usages?filter[client_id]=${owner.id}`)
  expect(one.document.meta).toHaveProperty('totals')
})

test('staff sum and export the usage of one account', async () => {
  const days = { group_by: ['day'], from: '2026-03-01', to: '2026-03-31' }
  const summary = (reader: Visitor | undefined, client: number | undefined) =>
    reader?.get(
      `${base}/usages/-actions/summary?payload=${encodeURIComponent(JSON.stringify({ ...days, client_id: client }))}`,
    )
  const own = await summary(portal.as(owner), owner.id)
  expect(own?.json).toMatchObject({ rows: [{ key: ['2026-03-10'] }] })
  expect((await summary(staff.readonly, owner.id))?.json).toEqual(own?.json)
  expect((await summary(staff.support, owner.id))?.json).toEqual(own?.json)
  expect((await summary(staff.billing, undefined))?.faults).toEqual([
    '400 usage_client_missing payload.client_id',
  ])
  expect((await summary(staff.billing, 1_000_000))?.status).toBe(404)
  for (const type of ['usages', 'billing-logs']) {
    const lines = async (reader: Visitor | undefined, client: number) =>
      (await reader?.get(`${base}/${type}/-actions/export?filter[client_id]=${client}`))?.text.split('\r\n')
    const whole = await lines(portal.as(owner), owner.id)
    expect(whole?.length).toBeGreaterThan(2)
    expect(await lines(staff.billing, owner.id)).toEqual(whole)
    expect(await lines(staff.billing, 1_000_000)).toHaveLength(2)
    expect(await lines(staff.support, owner.id)).toEqual(whole)
  }
})

test('a note of staff reaches the client with only the text that was written', async () => {
  const write = (reader: Visitor | undefined, more: object = {}, usage = ids.usages) =>
    reader?.call(
      'POST',
      `${base}/usage-notes`,
      sent({
        data: {
          type: 'usage-notes',
          attributes: { note_en: 'Looked at', note_ro: 'Verificat', ...more },
          relationships: { usage: { data: { type: 'usages', id: String(usage) } } },
        },
      }),
    )
  const written = await write(staff.billing)
  expect([written?.status, written?.one.attributes]).toMatchObject([
    201,
    { kind: 'staff', usage_id: Number(ids.usages), usage_on: '2026-03-10', note_en: 'Looked at' },
  ])
  const note = `${base}/usage-notes/${written?.one.id}`
  expect((await portal.as(owner).get(note)).one.attributes?.note_ro).toBe('Verificat')
  expect((await portal.as(silent.owner).get(note)).status).toBe(404)
  expect((await write(staff.billing, { note_en: ' ' }))?.status).toBe(422)
  expect((await write(staff.billing, { kind: 'credit' }))?.status).toBe(403)
  expect((await write(staff.billing, {}, 1_000_000))?.status).toBe(404)
  expect([(await write(staff.support))?.status, (await write(portal.as(owner)))?.status]).toEqual([403, 403])
  expect(
    (await staff.billing?.patch(note, { data: { type: 'usage-notes', id: written?.one.id } }))?.status,
  ).toBe(403)
})

test('a staff member with a client account is not let in as a client, nor at all once disabled', async () => {
  const { pool } = await testDatabase()
  const { app } = await testApp(pool)
  const sorin = await person(pool, 'sorin@example.com')
  const browser = new Browser(app)
  await browser.signIn('sorin@example.com')
  expect((await browser.get(`${base}/projects`)).json().meta.page.total).toBe(1)
  await pool.kysely
    .insertInto('admins')
    .values({
      email: sorin.email,
      display_name: 'Sorin',
      role: 'support',
      auth_id: sorin.accountId,
      totp_required: false,
    })
    .execute()
  expect((await browser.get(`${base}/projects`)).json().meta.page.total).toBe(0)
  const user = (await browser.get('/api/user')).json()
  expect([user.staff.role, user.access]).toEqual(['support', { billing: [], tickets: [], my_workspaces: [] }])
  const created = await browser.ask({
    method: 'POST',
    url: `${base}/projects`,
    headers: {
      authorization: `Bearer ${browser.cookies.get('token')}`,
      'content-type': 'application/vnd.api+json',
    },
    payload: { data: { type: 'projects', attributes: { name: 'Mine' } } },
  })
  expect(created.statusCode).toBe(403)
  await pool.kysely.updateTable('admins').set({ disabled_at: new Date().toISOString() }).execute()
  expect((await browser.get(`${base}/tickets`)).statusCode).toBe(401)
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
