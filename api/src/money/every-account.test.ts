import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeKey } from '#test/support/api-key.ts'
import { addCard, makePayer, pay } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'

// One list of the documents or payments of all accounts whose billing the reader sees: `filter[accounts]=all`.

const portal = await testPortal()
const { pool } = portal
await makeOperator(pool)
const payer = async () => {
  const account = await makePayer(portal)
  const card = await addCard(portal, account)
  expect((await pay(portal.as(account), { net: 20 }, { card })).status).toBe(201)
  return account
}
const [ana, stranger, clerk] = [await payer(), await payer(), await payer()]
const { permission } = await portal.share(ana, clerk, { billing: 'allowed' })

/** Whose rows a list has. */
const owners = async (visitor: Visitor, type: string, query: string) => {
  const { status, list, page } = await visitor.get(`${base}/${type}?${query}`)
  expect([status, page.total]).toEqual([200, list.length])
  return [...new Set(list.map(({ attributes }) => Number(attributes?.client_id)))].sort((a, b) => a - b)
}
const all = 'filter[accounts]=all'

test.each(['invoices', 'transactions'])('%s of every account are one list', async (type) => {
  const me = portal.as(clerk)
  expect(await owners(me, type, all)).toEqual([ana.id, clerk.id])
  expect(await owners(me, type, '')).toEqual([clerk.id])
  expect(await owners(me, type, `${all}&filter[client_id]=${ana.id}`)).toEqual([ana.id])
  expect(await owners(me, type, `${all}&filter[client_id]=${stranger.id}`)).toEqual([])
  expect(await owners(portal.as(stranger), type, all)).toEqual([stranger.id])
  expect((await portal.nobody.get(`${base}/${type}?${all}`)).status).toBe(401)
  expect((await me.get(`${base}/${type}?filter[accounts]=some`)).status).toBe(400)
})

test('a key reads the documents of its own account alone', async () => {
  const key = portal.key((await makeKey(pool, { client: clerk.id })).id)
  expect(await owners(key, 'invoices', all)).toEqual([clerk.id])
})

test('a revoked permission takes its documents out of the list at once', async () => {
  await sql`update share_permissions set revoked_at = now() where id = ${permission}`.execute(pool.kysely)
  expect(await owners(portal.as(clerk), 'invoices', all)).toEqual([clerk.id])
})
