import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { offerCurrencies } from '#test/support/newcomer.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
await offerCurrencies(pool, 'RON')
const billing = portal.staff(await makeAdmin(pool, 'billing'))
const support = portal.staff(await makeAdmin(pool))
const readonly = portal.staff(await makeAdmin(pool, 'readonly'))
const newClient = () => makeAccount(pool, { projects: 1, panels: 0, opening: null })

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const at = (id: number, verb: string) => `${base}/desk-clients/${id}/-actions/${verb}`
const change = (who: Visitor, id: number, currency: unknown) =>
  who.post(at(id, 'changeCurrency'), { data: { currency } })
const choice = async (id: number, who = billing) => who.get(at(id, 'currencyChoice'))
const currencyOf = async (id: number) =>
  (await billing.get(`${base}/desk-clients/${id}`)).one.attributes?.currency

test('billing changes the currency of an account in which nothing is kept, and the log says why', async () => {
  const { id } = await newClient()
  expect((await choice(id)).json).toEqual({ currency: 'USD', offered: ['USD', 'RON'], fixed_by: null })
  expect((await change(billing, id, 'RON')).json).toEqual({ currency: 'RON' })
  expect(await currencyOf(id)).toBe('RON')
  const { rows } = await sql`select a.verb, a.reason, a.client_id, c.table_name from staff_actions a
    join staff_action_changes c on c.action_id = a.id where a.client_id = ${id}`.execute(db)
  expect(rows).toEqual([
    { verb: 'changeCurrency', reason: 'A test asks for it', client_id: id, table_name: 'clients' },
  ])
})

test('other roles, people and clients, currencies that are none and old sign-ins are refused', async () => {
  const { id } = await newClient()
  for (const [who, status] of [
    [support, 403],
    [readonly, 403],
    [portal.as({ id }), 404],
    [portal.nobody, 404],
  ] as const) {
    expect((await change(who, id, 'RON')).status).toBe(status)
    expect((await choice(id, who)).status).toBe(status)
  }
  expect((await change(billing, 999_999, 'RON')).status).toBe(404)
  expect((await change(billing, id, 5)).status).toBe(422)
  expect((await change(billing, id, 'CHF')).faults).toEqual(['422 currency_not_offered /data/currency'])
  const old = portal.staff(await makeAdmin(pool, 'billing'), 'an hour ago')
  expect((await change(old, id, 'RON')).faults).toEqual(['403 recent_sign_in_required'])
  await sql`update clients set status = 4, closed_at = now() where id = ${id}`.execute(db)
  expect((await change(billing, id, 'RON')).faults).toEqual(['409 client_closed'])
  expect(await currencyOf(id)).toBe('USD')
})

test('an account with transactions, panels or prices of its own keeps its currency', async () => {
  const moved = await makeAccount(pool, { projects: 0, panels: 0 })
  const using = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  const priced = await newClient()
  await sql`insert into client_price_lists (client_id, price_list_id, valid)
    select ${priced.id}, id, '[2020-01-01,)' from price_lists where code = 'standard'`.execute(db)
  for (const [{ id }, why] of [
    [moved, 'transactions'],
    [using, 'use'],
    [priced, 'prices'],
  ] as const) {
    expect((await choice(id)).json).toMatchObject({ fixed_by: why })
    expect((await change(billing, id, 'RON')).faults).toEqual([`409 currency_fixed_by_${why}`])
    expect(await currencyOf(id)).toBe('USD')
  }
})
