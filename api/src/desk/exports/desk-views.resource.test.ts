import { mostViews } from '@portico/contract/resources/desk-views.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const url = `${base}/desk-views`
const [ana, dan] = [
  portal.staff(await makeAdmin(portal.pool, 'support')),
  portal.staff(await makeAdmin(portal.pool, 'readonly')),
] as const

const keep = (who: Visitor, name: string, filter: object = { owing: 'true', currency: 'USD' }) =>
  who.post(url, { data: { type: 'desk-views', attributes: { name, filter } } })

test('a member of staff keeps filters under a name, reads them and deletes them; others do not see them', async () => {
  const { status, one } = await keep(ana, 'Owe in dollars')
  expect([status, one.attributes?.filter]).toEqual([201, { owing: 'true', currency: 'USD' }])
  await keep(dan, 'owe in dollars', { search: 'popescu' })
  expect((await ana.get(url)).list.map(({ attributes }) => attributes?.name)).toEqual(['Owe in dollars'])
  expect((await dan.get(`${url}/${one.id}`)).status).toBe(404)
  expect((await dan.delete(`${url}/${one.id}`)).status).toBe(404)
  expect((await ana.delete(`${url}/${one.id}`)).status).toBe(204)
  expect((await ana.get(url)).list).toEqual([])
})

test('a name is used once, and a filter has only what the list has', async () => {
  await keep(ana, 'Trials', { trial: 'true' })
  const again = await keep(ana, 'trials', {})
  expect(again.faults).toEqual(['422 view_name_taken /data/attributes/name'])
  for (const filter of [{ owing: 'maybe' }, { admin_id: '1' }, { search: 'ab' }, { country: 'Romania' }, []])
    expect((await keep(ana, 'Wrong', filter)).status, JSON.stringify(filter)).toBe(422)
})

test('thirty views at most, also of those that are kept at once', async () => {
  const id = await makeAdmin(portal.pool, 'billing')
  await sql`insert into desk_views (admin_id, name, filter) select ${id}, 'Kept ' || n, '{}'
    from generate_series(1, ${mostViews - 2}::int) n`.execute(portal.pool.kysely)
  const all = await Promise.all([1, 2, 3, 4].map((n) => keep(portal.staff(id), `View ${n}`)))
  expect(all.flatMap(({ status, faults }) => (status === 201 ? [] : faults))).toEqual([
    '422 views_most',
    '422 views_most',
  ])
})

test('clients and strangers find nothing', async () => {
  const client = portal.as(await makeAccount(portal.pool, { projects: 0, panels: 0 }))
  for (const who of [client, portal.nobody]) {
    expect((await who.get(url)).status).toBe(404)
    expect((await keep(who, 'Mine')).status).toBe(404)
  }
})
