import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const url = '/api/v1/canned-answers'
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const [support, billing, admin, readonly] = await Promise.all(
  roles.map(async (role) => portal.staff(await makeAdmin(portal.pool, role))),
)
if (!support || !billing || !admin || !readonly) throw new Error('One was made of each role.')

const write = (who: Visitor, title: string) =>
  who.post(url, {
    data: {
      type: 'canned-answers',
      attributes: { title, body_en: 'Hello {first_name}', body_ro: 'Bună, {first_name}' },
      relationships: { ticketDepartment: { data: null } },
    },
  })
const rename = (who: Visitor, id: string, title: string) =>
  who.patch(`${url}/${id}`, { data: { type: 'canned-answers', id, attributes: { title } } })

test('administrators write what all staff read, and no other staff change it', async () => {
  const made = await write(admin, 'Greeting')
  expect(made.status).toBe(201)
  const { id } = made.one
  for (const who of [support, billing, readonly]) {
    expect((await who.get(`${url}/${id}`)).one.attributes).toMatchObject({ body_ro: 'Bună, {first_name}' })
    expect((await who.get(url)).document.meta?.may).toMatchObject({ create: false })
    expect((await write(who, 'Mine')).status).toBe(403)
    expect((await rename(who, id, 'Mine')).status).toBe(403)
    expect((await who.delete(`${url}/${id}`)).status).toBe(403)
  }
  expect((await write(admin, 'Greeting')).status).toBe(409)
  expect((await rename(admin, id, 'Welcome')).one.attributes).toMatchObject({ title: 'Welcome' })
  expect((await admin.delete(`${url}/${id}`)).status).toBe(204)
})

test('clients see no canned answer by any request', async () => {
  const { id } = (await write(admin, 'Between us')).one
  const ana = portal.as(await makeAccount(portal.pool, { projects: 0 }))
  expect((await ana.get(url)).page.total).toBe(0)
  expect((await ana.get(`${url}/${id}`)).status).toBe(404)
  expect((await ana.get(`${url}?include=ticketDepartment&sort=-title`)).text).not.toContain('Between')
  expect((await rename(ana, id, 'Mine')).status).toBe(404)
  expect((await ana.delete(`${url}/${id}`)).status).toBe(404)
  expect((await write(ana, 'Mine')).status).toBe(403)
  expect((await portal.nobody.get(url)).status).toBe(401)
})

test('a ticket says in which language its account is answered', async () => {
  const ana = await makeAccount(portal.pool, { projects: 0 })
  const { ticket } = await makeTicket(portal.pool, { client: ana.id })
  const language = async () => (await support.get(`/api/v1/tickets/${ticket}`)).one.attributes?.language
  const speak = (code: string) =>
    portal.pool.kysely
      .updateTable('clients')
      .set(({ selectFrom }) => ({
        language_id: selectFrom('languages').select('id').where('code', '=', code),
      }))
      .where('id', '=', ana.id)
      .execute()
  await speak('ro')
  expect(await language()).toBe('ro')
  await speak('en')
  expect(await language()).toBe('en')
  expect(portal.bugs).toEqual([])
})
