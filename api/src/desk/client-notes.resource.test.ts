import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const support = portal.staff(await makeAdmin(pool, 'support'))
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
const ana = await makeAccount(pool, { projects: 1, panels: 0 })
const bob = await makeAccount(pool, { projects: 1, panels: 0 })

const write = (by: Visitor, body: string, client = ana.id) =>
  by.post(`${base}/client-notes`, {
    data: {
      type: 'client-notes',
      attributes: { body },
      relationships: { client: { data: { type: 'desk-clients', id: String(client) } } },
    },
  })
const pin = (by: Visitor, id: string, pinned: boolean) =>
  by.patch(`${base}/client-notes/${id}`, { data: { type: 'client-notes', id, attributes: { pinned } } })
const notes = async (query: string) =>
  (await readonly.get(`${base}/client-notes?${query}`)).list.map(({ attributes }) => attributes?.body)

test('staff note about a client what other staff read, and pin it', async () => {
  const made = await write(support, 'Pays by transfer on the 10th')
  expect(made.status).toBe(201)
  expect(made.one.attributes).toMatchObject({ client_id: ana.id, pinned: false })
  const { one: asked } = await write(billing, 'Asked for lower prices')
  expect((await pin(billing, asked.id, true)).status).toBe(200)
  await write(support, 'About another', bob.id)
  const of = `filter[client_id]=${ana.id}`
  expect(await notes(of)).toEqual(['Asked for lower prices', 'Pays by transfer on the 10th'])
  expect(await notes(`${of}&filter[pinned]=true`)).toEqual(['Asked for lower prices'])
  expect((await pin(billing, made.one.id, true)).status).toBe(200)
  expect(await notes(`${of}&filter[pinned]=true&sort=createdAt`)).toEqual([
    'Pays by transfer on the 10th',
    'Asked for lower prices',
  ])
  expect((await portal.as(ana).get(`${base}/client-notes?${of}`)).status).toBe(404)
})

test('those who only read write none, and what is written stays', async () => {
  expect((await write(readonly, 'No')).status).toBe(403)
  const { one } = await write(support, 'Stays')
  expect((await pin(readonly, one.id, true)).status).toBe(403)
  const changed = await support.patch(`${base}/client-notes/${one.id}`, {
    data: { type: 'client-notes', id: one.id, attributes: { body: 'Another' } },
  })
  expect(changed.status).toBe(403)
  expect((await support.delete(`${base}/client-notes/${one.id}`)).status).toBe(403)
})

test('a note without words, with too many, or about nobody is refused at its field', async () => {
  expect((await write(support, '  ')).faults).toEqual(['422 message_required /data/attributes/body'])
  expect((await write(support, 'x'.repeat(4001))).status).toBe(422)
  expect((await write(support, 'x', 999_999)).status).toBe(404)
})
