import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { served } from '#start/registry.ts'
import { type Kind, kinds, makeGuests, makeWorld } from './support/matrix.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { makeAdmin } from './support/ticket.ts'

// A list that is filtered by a panel or a workspace shows the owner's rows to every reader: it shows what the counts of the panel say,
// without the reader having to name the owner too. And it shows nothing of what the reader does not see.

const portal = await testPortal()
const guests = await makeGuests(portal)
const world = await makeWorld(portal, guests)
const { owner, ids, beyond } = world
const inside = ['servers', 'clusters', 'domains'] as const

const visitorOf = (kind: Kind): Visitor => {
  if (kind === 'anonymous') return portal.nobody
  if (kind === 'key' || kind === 'key one') return portal.key(world.keys[kind])
  return portal.as(kind === 'owner' ? owner : guests[kind])
}

const idsOf = async (visitor: Visitor, query: string) => {
  const answer = await visitor.get(`${base}/${query}`)
  return { total: answer.page.total, ids: answer.list.map(({ id }) => id) }
}

const empty = { total: 0, ids: [] }
const signedIn = kinds.filter((kind) => kind !== 'anonymous')

test.each(signedIn)('%s sees in a panel what its counts say', async (kind) => {
  const visitor = visitorOf(kind)
  const panels = await visitor.get(`${base}/panels?filter[client_id]=${owner.id}`)
  for (const { id, attributes } of panels.list)
    for (const type of inside) {
      const named = await idsOf(visitor, `${type}?filter[panel_id]=${id}&filter[client_id]=${owner.id}`)
      const listed = await idsOf(visitor, `${type}?filter[panel_id]=${id}`)
      const counted = attributes?.[`${type}_count`]
      expect([listed, listed.total, listed.ids.length], `${type} of ${id}`).toEqual([named, counted, counted])
      const found = await idsOf(visitor, `${type}?filter[panel_id]=${id}&filter[search]=%202`)
      expect(found.total, `found among ${type}`).toBe(counted === 3 ? 1 : 0)
    }
  const rows = { owner: 6, all: 6, one: 1, key: 6, 'key one': 2 }[kind.split('+')[0] ?? '']
  expect(panels.page.total).toBe(rows ?? 0)
})

test.each(signedIn)('%s sees in a workspace what is open of it', async (kind) => {
  const visitor = visitorOf(kind)
  for (const project of owner.projects)
    for (const type of ['panels', 'tickets', 'usages', ...inside]) {
      const narrowed = `${type}?filter[project_id]=${project}`
      const answer = await visitor.get(`${base}/${narrowed}`)
      if (answer.status === 403) continue
      expect(await idsOf(visitor, narrowed), narrowed).toEqual(
        await idsOf(visitor, `${narrowed}&filter[client_id]=${owner.id}`),
      )
    }
  const first = await visitor.get(`${base}/panels?filter[project_id]=${owner.projects[0]}`)
  expect(first.page.total).toBe(
    { owner: 2, all: 2, one: 1, key: 2, 'key one': 2 }[kind.split('+')[0] ?? ''] ?? 0,
  )
})

test('the permission to add rows is that of the listed account', async () => {
  const may = async (kind: 'all' | 'all+add') =>
    (await portal.as(guests[kind]).get(`${base}/panels?filter[project_id]=${ids.projects}`)).document.meta
      ?.may
  expect([await may('all'), await may('all+add')]).toEqual([{ create: false }, { create: true }])
})

test.each(['one', 'tickets', 'billing', 'expired', 'stranger'] as const)(
  '%s sees nothing in a panel that is not open',
  async (kind) => {
    const visitor = visitorOf(kind)
    for (const type of inside)
      for (const filter of [
        `filter[panel_id]=${beyond.panels}`,
        `filter[project_id]=${beyond.projects}`,
        `filter[panel_id]=${beyond.panels}&filter[client_id]=${owner.id}`,
      ])
        expect(await idsOf(visitor, `${type}?${filter}`), `${type} ${filter}`).toEqual(empty)
  },
)

test('a panel and an account that do not belong together have nothing in common', async () => {
  const visitor = portal.as(guests.all)
  for (const type of inside)
    for (const filter of [
      `filter[panel_id]=${ids.panels}&filter[client_id]=${guests.all.id}`,
      `filter[panel_id]=${ids.panels}&filter[client_id]=${guests.stranger.id}`,
      `filter[panel_id]=${ids.panels}&filter[project_id]=${guests.all.projects[0]}`,
      `filter[panel_id]=${ids.panels}&filter[project_id]=${beyond.projects}`,
    ])
      expect(await idsOf(visitor, `${type}?${filter}`), `${type} ${filter}`).toEqual(empty)
  expect((await idsOf(visitor, `servers?filter[panel_id]=${ids.panels}`)).total).toBe(3)
})

test('without a filter a list is still of the own account', async () => {
  const visitor = portal.as(guests.all)
  expect(await idsOf(visitor, 'servers')).toEqual(empty)
  expect((await idsOf(visitor, 'projects')).ids).toEqual(guests.all.projects.map(String))
})

test('rows that a guest names by their ids are found in every account that they reach, and in no other', async () => {
  const named = `panels?filter[id]=${ids.panels},${beyond.panels}`
  const both = [ids.panels, beyond.panels].map(String)
  expect(await idsOf(visitorOf('all'), named)).toEqual({ total: 2, ids: both })
  expect(await idsOf(visitorOf('one'), named)).toEqual({ total: 1, ids: [String(ids.panels)] })
  for (const kind of ['tickets', 'billing', 'expired', 'stranger'] as const)
    expect(await idsOf(visitorOf(kind), named), kind).toEqual(empty)
  const ownAlone = `${named}&filter[client_id]=${guests.all.id}`
  expect(await idsOf(visitorOf('all'), ownAlone)).toEqual(empty)
})

const exported = [
  ['billing', `usages`, `filter[panel_id]=${ids.panels}`],
  ['billing', `usages`, `filter[project_id]=${ids.projects}`],
  ['billing', `billing-logs`, `filter[project_id]=${ids.projects}`],
  ['owner', `usages`, `filter[panel_id]=${ids.panels}`],
] as const

test.each(exported)(
  'an export for %s of %s with %s holds the rows of the list',
  async (kind, type, filter) => {
    const { total } = await idsOf(visitorOf(kind), `${type}?${filter}`)
    const file = await visitorOf(kind).get(`${base}/${type}/-actions/export?${filter}`)
    const lines = file.text.trim().split('\r\n')
    expect([lines.length - 1, Number(file.header('x-total-rows'))]).toEqual([total, total])
    expect(total).toBeGreaterThan(0)
    const closed = await portal.as(guests['all+add']).get(`${base}/${type}/-actions/export?${filter}`)
    expect(closed.header('x-total-rows')).toBe('0')
  },
)

test('a guest cannot find out by a filter about which panel a ticket is', async () => {
  const visitor = portal.as(guests.tickets)
  const all = await idsOf(visitor, `tickets?filter[client_id]=${owner.id}`)
  expect(all.ids).toEqual([String(ids.tickets)])
  expect(await idsOf(visitor, `tickets?filter[panel_id]=${ids.panels}`)).toEqual(empty)
  expect(
    await idsOf(visitor, `tickets?filter[panel_id]=${ids.panels}&filter[client_id]=${owner.id}`),
  ).toEqual(empty)
  const messages = await idsOf(visitor, `ticket-messages?filter[ticket_id]=${ids.tickets}`)
  expect(messages.total).toBeGreaterThan(0)
})

test('staff, who know of a panel by its ticket, are shown nothing in it and no count of it', async () => {
  const admin = await makeAdmin(portal.pool)
  const staff = portal.staff(admin)
  const { attributes } = (await staff.get(`${base}/panels/${ids.panels}`)).one
  for (const type of inside) {
    expect(attributes?.[`${type}_count`]).toBe(0)
    const answer = await staff.get(`${base}/${type}?filter[panel_id]=${ids.panels}`)
    expect(answer.status === 200 ? answer.page.total : answer.status).toBe(0)
  }
})

test('every filter by a row of an account is tested', () => {
  const left = Object.values(served).flatMap(({ contract, binding }) =>
    Object.keys(contract.filters)
      .filter((name) => binding.account !== undefined && name.endsWith('_id') && name !== 'client_id')
      .filter((name) => binding.accountOf?.[name] === undefined)
      .map((name) => `${contract.type} ${name}`),
  )
  // The first three list the reader's own rows regardless of filters; staff have no account.
  expect(left.sort()).toEqual([
    'client-panels owner_id',
    'client-panels panel_id',
    'client-panels share_permission_id',
    'share-invitations permission_id',
    'tickets assigned_admin_id',
  ])
})
