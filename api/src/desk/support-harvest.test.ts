import { base } from '@portico/contract/wire.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGuests, makeWorld } from '#test/support/matrix.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

// A stolen sign-in of support reads what an account has and pays only after it opened the client's page, of which few are opened.

const portal = await testPortal()
const { admin } = await makeMember(portal.pool, 'support')
const support = portal.staff(admin, 'an hour ago')
const readonly = portal.staff((await makeMember(portal.pool, 'readonly')).admin, 'an hour ago')
const guests = await makeGuests(portal, ['all'])
const worlds = [await makeWorld(portal, guests), await makeWorld(portal, guests)] as const
const [opened, other] = worlds

beforeAll(async () => {
  expect((await support.get(`${base}/desk-clients/${opened.owner.id}`)).status).toBe(200)
})
afterAll(() => {
  expect(portal.bugs).toEqual([])
})

const types = [
  'account-balances',
  'billing-logs',
  'billing-profiles',
  'invoices',
  'transactions',
  'usage-notes',
  'usages',
] as const

test.each(types)(
  '%s: support reads those of the client whose page it opened, and no others',
  async (type) => {
    const idsOf = async (query: string, who = support) =>
      (await who.get(`${base}/${type}?page[size]=100${query}`)).list.map(({ id }) => id)
    const own = await idsOf(`&filter[client_id]=${opened.owner.id}`)
    expect(own.length).toBeGreaterThan(0)
    expect((await idsOf('')).sort()).toEqual(own.sort())
    expect(await idsOf(`&filter[client_id]=${other.owner.id}`)).toEqual([])
    expect((await idsOf(`&filter[client_id]=${other.owner.id}`, readonly)).length).toBeGreaterThan(0)
    expect((await support.get(`${base}/${type}/${opened.ids[type]}`)).status).toBe(200)
    expect((await support.get(`${base}/${type}/${other.ids[type]}`)).status).toBe(404)
  },
)

test.each(['usages', 'billing-logs'])('%s: no staff export those of everybody', async (type) => {
  const exported = (query: string, who = support) =>
    who.get(`${base}/${type}/-actions/export?${query}`, { accept: 'text/csv' })
  const linesOf = async (client: number, who = support) =>
    (await exported(`filter[client_id]=${client}`, who)).text.split('\n').length
  expect(await linesOf(opened.owner.id)).toBeGreaterThan(2)
  expect(await linesOf(other.owner.id)).toBe(2)
  expect(await linesOf(other.owner.id, readonly)).toBeGreaterThan(2)
  for (const who of [support, readonly])
    expect((await exported('', who)).faults).toEqual(['400 export_client_missing filter[client_id]'])
})

test.each([
  ['summary', { group_by: ['day'], from: '2026-03-01', to: '2026-03-31' }],
  ['explain', { month: '2026-03' }],
])('%s of usage is of a client whose page support opened', async (action, asked) => {
  const of = (client_id: number) =>
    support.get(
      `${base}/usages/-actions/${action}?payload=${encodeURIComponent(JSON.stringify({ ...asked, client_id }))}`,
    )
  expect((await of(opened.owner.id)).status).toBe(200)
  expect((await of(other.owner.id)).faults).toEqual(['404 not_found'])
})

test('by related paths and includes support reaches no payment, note or balance of another client', async () => {
  const { ids } = other
  for (const path of [
    `usages/${ids.usages}/notes`,
    `usages/${ids.usages}/relationships/notes`,
    `usage-notes/${ids['usage-notes']}/usage`,
    `transactions/${ids.transactions}/invoice`,
    `billing-profiles/${other.owner.id}/client`,
    `invoices/${ids.invoices}/corrects`,
  ])
    expect([path, (await support.get(`${base}/${path}`)).status]).toEqual([path, 404])
})
