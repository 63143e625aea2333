import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))
const supporter = await makeAdmin(portal.pool)
const support = portal.staff(supporter)
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
const readonly = portal.staff(await makeAdmin(portal.pool, 'readonly'))

let ana: Account
let ticket: number

beforeEach(async () => {
  ana = await makeAccount(portal.pool, { projects: 0 })
  ticket = (await makeTicket(portal.pool, { client: ana.id })).ticket
})

const idOf = async (code: string) =>
  (await db.selectFrom('ticket_departments').select('id').where('code', '=', code).executeTakeFirstOrThrow())
    .id
const department = async (code: string | null) => ({
  data: code === null ? null : { type: 'ticket-departments', id: String(await idOf(code)) },
})

type Macro = { of?: string | null; moves?: string | null; attributes?: object }
async function macro({ of = null, moves = null, attributes = {} }: Macro): Promise<number> {
  const made = await admin.post(`${base}/canned-answers`, {
    data: {
      type: 'canned-answers',
      attributes: { title: randomUUID(), body_en: 'Hello', body_ro: 'Bună', ...attributes },
      relationships: { ticketDepartment: await department(of), moveTo: await department(moves) },
    },
  })
  expect(made.status).toBe(201)
  return Number(made.one.id)
}

const run = (who: Visitor, answer_id: number, more: object = {}, key: string = randomUUID()) =>
  who.call('POST', `${base}/tickets/${ticket}/-actions/runMacro`, {
    body: { data: { answer_id, body: 'We look into it', ...more } },
    headers: { 'idempotency-key': key },
  })
const read = async (who: Visitor = support) => (await who.get(`${base}/tickets/${ticket}`)).one.attributes
const messages = async () =>
  Number(
    (await sql<{ n: number }>`select count(*) n from ticket_messages where ticket_id = ${ticket}`.execute(db))
      .rows[0]?.n,
  )
const codeOf = ({ status, errors }: { status: number; errors: readonly { code?: string }[] }) => [
  status,
  errors[0]?.code,
]
const tag = (who: Visitor, tags: readonly string[]) =>
  who.post(`${base}/tickets/${ticket}/-actions/tag`, { data: { tags } })

test('a macro answers, tags, sets the priority, moves and holds, in one logged action, once by its key', async () => {
  const of = await macro({
    moves: 'sales',
    attributes: { priority: 4, hold: true, tags: ['VIP', 'vip', 'disk'] },
  })
  const key = randomUUID()
  expect((await run(support, of, {}, key)).document).toEqual({ ran: true })
  expect((await run(support, of, {}, key)).document).toEqual({ ran: true })
  expect(await messages()).toBe(4)
  expect(await read()).toMatchObject({
    priority: 4,
    status: 'on_hold',
    department: 'sales',
    tags: ['disk', 'vip'],
    last_message_by: 'staff',
  })
  const { rows } = await sql<{
    verb: string
  }>`select verb from staff_actions where client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([{ verb: 'runMacro' }])
})

test('what a macro may not do undoes its answer too', async () => {
  const of = await macro({ moves: 'sales', attributes: { priority: 4 } })
  await sql`update ticket_departments set closed_at = now() where code = 'sales'`.execute(db)
  expect(codeOf(await run(support, of))).toEqual([409, 'department_closed'])
  await sql`update ticket_departments set closed_at = null`.execute(db)
  const ten = Array.from({ length: 10 }, (_, n) => `t${n}`)
  expect((await tag(support, ten)).status).toBe(200)
  expect(codeOf(await run(support, await macro({ attributes: { tags: ['one-more'] } })))).toEqual([
    409,
    'ticket_tags_most',
  ])
  await support.post(`${base}/tickets/${ticket}/-actions/close`, { data: {} })
  expect(codeOf(await run(support, await macro({})))).toEqual([409, 'ticket_closed'])
  expect(await messages()).toBe(3)
  expect(await read()).toMatchObject({ priority: 2, department: 'technical' })
})

test('a macro of another department, or none, is refused', async () => {
  expect(codeOf(await run(support, await macro({ of: 'billing' })))).toEqual([422, 'macro_unknown'])
  expect(codeOf(await run(support, 2_000_000_000))).toEqual([422, 'macro_unknown'])
  expect((await run(support, await macro({}), { body: '' })).status).toBe(422)
})

test('a macro attaches the files of its own sender alone', async () => {
  const file = async (owner: number) =>
    (
      await sql<{ id: number }>`insert into ticket_files (uploaded_by_admin_id, filename, mime, size, sha256,
        storage_key, scan_status) values (${owner}, 'log.txt', 'text/plain', 12, '\\x00', gen_random_uuid()::text,
        'clean') returning id`.execute(db)
    ).rows[0]?.id
  const of = await macro({})
  const others = await file(await makeAdmin(portal.pool))
  expect(codeOf(await run(support, of, { file_ids: [others] }))).toEqual([422, 'file_unknown'])
  const own = await file(supporter)
  expect((await run(support, of, { file_ids: [own] })).status).toBe(200)
  const { list } = await portal.as(ana).get(`${base}/ticket-files?filter[ticket_id]=${ticket}`)
  expect(list.map(({ id }) => Number(id))).toContain(own)
})

test('nobody but staff who answer the ticket runs a macro or tags it', async () => {
  const of = await macro({})
  expect((await run(readonly, of)).status).toBe(403)
  expect((await tag(readonly, ['vip'])).status).toBe(403)
  // Billing staff see no ticket of another department.
  expect((await run(billing, of)).status).toBe(404)
  expect((await tag(billing, ['vip'])).status).toBe(404)
  for (const [who, status] of [
    [portal.as(ana), 403],
    [portal.nobody, 401],
  ] as const) {
    expect((await run(who, of)).status).toBe(status)
    expect((await tag(who, ['vip'])).status).toBe(status)
  }
  const stranger = portal.as(await makeAccount(portal.pool, { projects: 0 }))
  expect((await run(stranger, of)).status).toBe(404)
  expect(await messages()).toBe(3)
})

test('tags narrow the list of staff, and no client learns of them', async () => {
  expect((await tag(support, [' VIP ', 'vip'])).document).toEqual({ tags: ['vip'] })
  for (const wrong of [
    ['two words'],
    ['-x'],
    ['x'.repeat(31)],
    Array.from({ length: 11 }, (_, n) => `t${n}`),
  ])
    expect((await tag(support, wrong)).status).toBe(422)
  const found = async (who: Visitor, name: string) =>
    (await who.get(`${base}/tickets?filter[tag]=${name}`)).list.map(({ id }) => Number(id))
  expect(await found(support, 'vip')).toContain(ticket)
  expect(await found(support, 'nothing')).toEqual([])
  expect(await found(billing, 'vip')).toEqual([])
  expect(await found(portal.as(ana), 'vip')).toEqual([])
  expect((await read(portal.as(ana)))?.tags).toBe(null)
  const known = (who: Visitor) => who.get(`${base}/tickets/-actions/tags`)
  expect((await known(support)).document).toMatchObject({ tags: expect.arrayContaining(['vip']) })
  expect((await known(billing)).document).toEqual({ tags: [] })
  expect((await known(portal.as(ana))).status).toBe(403)
  expect((await known(portal.nobody)).status).toBe(401)
  expect(portal.bugs).toEqual([])
})
