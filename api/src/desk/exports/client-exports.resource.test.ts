import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const url = `${base}/client-exports`
const id = await makeAdmin(portal.pool, 'admin')
const admin = portal.staff(id)
const roles = ['support', 'billing', 'readonly'] as const
const others: Visitor[] = []
let ana: Account
let dan: Account

beforeAll(async () => {
  ana = await makeAccount(portal.pool, { projects: 1, panels: 2 })
  dan = await makeAccount(portal.pool, { projects: 0, panels: 0 })
  await sql`update clients set first_name = 'Ștefan', last_name = '=HYPERLINK("http://x")' where id = ${dan.id}`.execute(
    db,
  )
  await sql`update clients set status = 0 where id = ${dan.id}`.execute(db)
  for (const role of roles) others.push(portal.staff(await makeAdmin(portal.pool, role)))
})

const ask = (
  who: Visitor,
  filter: object = {},
  headers: Record<string, string> = { 'portico-reason': 'Audit' },
) => who.call('POST', url, { body: { data: { type: 'client-exports', attributes: { filter } } }, headers })

const file = (who: Visitor, of: string | number | undefined) => who.get(`${url}/${of}/-actions/download`)

test('an administrator exports the clients of a filter; the log has who, why, the filter and their number', async () => {
  const { status, one } = await ask(admin, { status: '0' })
  expect([status, one.attributes?.count]).toEqual([201, 1])
  const { text, headers } = await file(admin, one.id)
  expect(headers['content-disposition']).toMatch(/clients-\d{4}-\d\d-\d\d\.csv/)
  const [headings, ...lines] = text.trimEnd().split('\r\n')
  expect(headings).toBe(
    '\ufeffid,first_name,last_name,email,company,vat_number,country,language,currency,status,balance,credit,owed_since,panels,since',
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(`${dan.id},Ștefan,"'=HYPERLINK(""http://x"")",`)
  expect(lines[0]).toContain(',blocked,')
  const { list } = await admin.get(`${base}/staff-actions?filter[resource_type]=client-exports`)
  expect(list[0]?.attributes).toMatchObject({ admin_id: id, verb: 'create', reason: 'Audit' })
  expect(list[0]?.attributes?.changes).toMatchObject([{ after: { count: 1, filter: { status: '0' } } }])
})

test('without a filter every client is a line, and no member of staff', async () => {
  const { one } = await ask(admin)
  const lines = (await file(admin, one.id)).text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + Number(one.attributes?.count))
  expect(lines.find((line) => line.startsWith(`${ana.id},`))).toMatch(/,active,.*,2,\d{4}-/)
})

test('it needs a reason and a sign-in of the last ten minutes', async () => {
  expect((await ask(admin, {}, { 'portico-reason': '' })).faults).toEqual([
    '422 staff_reason_required Portico-Reason',
  ])
  expect((await ask(portal.staff(id, 'an hour ago'))).faults).toEqual(['403 recent_sign_in_required'])
})

test('other roles export nothing and read no export; clients and strangers do not find the address', async () => {
  const { one } = await ask(admin)
  for (const who of others) {
    expect((await ask(who)).status).toBe(403)
    expect((await file(who, one.id)).status).toBe(404)
  }
  for (const who of [portal.as(ana), portal.nobody]) {
    expect((await ask(who)).status).toBe(404)
    expect((await file(who, one.id)).status).toBe(404)
  }
})

test('the file is for who asked for it, for an hour', async () => {
  const { one } = await ask(admin)
  const second = portal.staff(await makeAdmin(portal.pool, 'admin'))
  expect((await file(second, one.id)).faults).toEqual(['403 export_of_others'])
  await sql`update client_exports set created_at = now() - interval '61 minutes' where id = ${one.id}::bigint`.execute(
    db,
  )
  expect((await file(admin, one.id)).faults).toEqual(['410 export_ended'])
})
