import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Account } from '#test/support/account.ts'
import { makePayer } from '#test/support/card.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { clientOf, OfficeServer, OfficeWorld } from '#test/support/tax-office.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const server = new OfficeServer()
const office = clientOf(await server.listen())
const portal = await testPortal({ taxOffice: office })
const { pool } = portal
const db = pool.kysely
const { folder, remove } = temporaryFolder()
const world = await OfficeWorld.open(pool, folder, server)
const documents = `${base}/e-invoices`
const offices = `${base}/tax-offices`
let [dan, billing, reader, helper]: Visitor[] = []
let ana: Account

const staff = async (role: 'admin' | 'billing' | 'readonly' | 'support') =>
  portal.staff(await makeAdmin(pool, role))

beforeAll(async () => {
  await businessTime(pool, '2026-11-23T10:00:00Z')
  ana = await makePayer(portal)
  dan = await staff('admin')
  billing = await staff('billing')
  reader = await staff('readonly')
  helper = await staff('support')
})
beforeEach(async () => {
  server.fault = () => undefined
  await world.authorise()
})
afterAll(() => {
  server.close()
  remove()
})

const act = (who: Visitor | undefined, at: string, name: string, body: object = {}) =>
  (who ?? portal.nobody).post(`${at}/-actions/${name}`, body)

/** A document that never arrived, which the office failed on. */
async function unknown(): Promise<{ id: number; at: string; number: string }> {
  const { id, number } = await world.invoice(ana.id)
  server.fault = ({ call, document }) =>
    call === 'upload' && document?.number === number ? 'failed' : undefined
  await world.run()
  server.fault = () => undefined
  return { id, number, at: `${documents}/${(await world.row(id)).id}` }
}

const age = (id: number, days: number) =>
  sql`update e_invoices set begun_at = now() - make_interval(days => ${days}) where invoice_id = ${id}`.execute(
    db,
  )

test('billing reads the documents by state and number, with the working days that are left', async () => {
  const { id, number } = await world.invoice(ana.id)
  await world.run()
  const { list } = await (billing ?? portal.nobody).get(
    `${documents}?filter[state]=accepted&filter[search]=${number}`,
  )
  expect(list).toHaveLength(1)
  expect(list[0]?.attributes).toMatchObject({
    full_number: number,
    invoice_id: id,
    client_name: 'Ștefan & Țiței SRL',
    due_on: '2026-12-02',
    days_left: 5,
    signed_ready: true,
    is_decidable: false,
  })
  expect((await billing?.get(`${documents}?filter[left]=2`))?.list).toEqual([])
})

test('a person decides about an unknown outcome after two days, and after a search: it was not received', async () => {
  const { id, number, at } = await unknown()
  expect((await act(billing, at, 'wasNotReceived')).faults).toEqual(['409 einvoice_too_early'])
  await age(id, 3)
  await sql`update e_invoices set searched_at = null where invoice_id = ${id}`.execute(db)
  expect((await act(billing, at, 'wasNotReceived')).faults).toEqual(['409 einvoice_not_searched'])
  await world.run()
  expect((await billing?.get(at))?.one.attributes).toMatchObject({
    state: 'unknown',
    is_decidable: true,
    is_searched: true,
  })
  const answers = await Promise.all([act(billing, at, 'wasNotReceived'), act(dan, at, 'wasNotReceived')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted' })
  expect(world.times(number)).toBe(1)
  const { rows } = await sql<{
    verb: string
    reason: string
    before: string
  }>`select a.verb, a.reason, c.before ->> 'state' as before
    from staff_actions a join staff_action_changes c on c.action_id = a.id
    where a.type = 'e-invoices' and a.verb = 'wasNotReceived' and c.after ->> 'state' = 'waiting'`.execute(db)
  expect(rows).toEqual([{ verb: 'wasNotReceived', reason: 'A test asks for it', before: 'unknown' }])
})

test('a person who knows the index settles it; the index of another document is found out', async () => {
  const other = await world.invoice(ana.id)
  const { id, number, at } = await unknown()
  await age(id, 3)
  const taken = (await world.row(other.id)).upload_index
  expect((await act(billing, at, 'wasReceived', { upload_index: taken })).faults).toEqual([
    '409 einvoice_index_taken /data/attributes/upload_index',
  ])
  // Somebody sent two documents by hand at the office.
  const [first] = server.office.uploads
  const byHand = (index: string, as: string) =>
    first &&
    server.office.uploads.push({
      ...first,
      index,
      document: { ...first.document, number: as },
      xml: first.xml.replaceAll(first.document.number, as),
    })
  byHand('6000000001', 'EX-9')
  byHand('6000000002', number)
  expect((await act(billing, at, 'wasReceived', { upload_index: '6000000001' })).status).toBe(200)
  await sql`update e_invoices set next_at = now() where invoice_id = ${id}`.execute(db)
  server.fault = ({ call }) => (call === 'list' ? 'failed' : undefined)
  await world.run()
  expect(await world.row(id)).toMatchObject({
    state: 'unknown',
    problem: 'index_of_other',
    said: 'EX-9',
    upload_index: null,
  })
  expect((await act(billing, at, 'wasReceived', { upload_index: '6000000002' })).status).toBe(200)
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted', upload_index: '6000000002' })
  expect((await act(billing, at, 'wasReceived', { upload_index: '7' })).faults).toEqual([
    '409 einvoice_not_unknown',
  ])
})

test('the index of another rejected document rejects nothing; one of its own is sent again', async () => {
  const { id, number, at } = await unknown()
  await age(id, 3)
  const [first] = server.office.uploads
  if (first)
    server.office.uploads.push({
      ...first,
      index: '6000000011',
      isNok: true,
      document: { ...first.document, number: 'EX-10' },
    })
  server.fault = ({ call }) => (call === 'list' ? 'failed' : undefined)
  expect((await act(billing, at, 'wasReceived', { upload_index: '6000000011' })).status).toBe(200)
  await world.run()
  expect(await world.row(id)).toMatchObject({
    state: 'unknown',
    problem: 'index_rejected',
    upload_index: null,
  })
  expect((await world.row(id)).said).toEqual(expect.stringMatching(/./))
  server.fault = () => undefined
  expect((await act(billing, at, 'wasNotReceived')).status).toBe(200)
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'accepted' })
  expect(world.times(number)).toBe(1)
})

test('the home of the desk counts what is due, of unknown outcome and rejected, for those who see money', async () => {
  const due = await unknown()
  await sql`update e_invoices set due_on = '2026-11-24' where invoice_id = ${due.id}`.execute(db)
  const rejected = await world.invoice(ana.id)
  server.fault = ({ call, document }) =>
    call === 'upload' && document?.number === rejected.number ? 'nok' : undefined
  await world.run()
  const needs = async (who: Visitor | undefined): Promise<Record<string, number>> => {
    const answer = await (who ?? portal.nobody).get(`${base}/desk-home/-actions/needs`)
    const counted: { need: string; count: number }[] = JSON.parse(answer.text).needs
    return Object.fromEntries(
      counted.filter(({ need }) => need.startsWith('einvoices')).map(({ need, count }) => [need, count]),
    )
  }
  expect(await needs(reader)).toMatchObject({
    einvoices_due: 1,
    einvoices_unknown: expect.any(Number),
    einvoices_rejected: 1,
  })
  expect(await needs(helper)).toEqual({})
})

test('a waiting document is sent at once when a person asks for it', async () => {
  const { id, number } = await world.invoice(ana.id)
  server.fault = ({ call }) => (call === 'upload' ? 'busy' : undefined)
  await world.run()
  const at = `${documents}/${(await world.row(id)).id}`
  await sql`update e_invoices set next_at = now() + interval '1 hour' where invoice_id = ${id}`.execute(db)
  expect((await act(billing, at, 'retryNow')).status).toBe(200)
  const { rows } = await sql<{
    due: boolean
  }>`select next_at <= now() as due from e_invoices where invoice_id = ${id}`.execute(db)
  expect(rows[0]?.due).toBe(true)
  server.fault = () => undefined
  await world.run()
  expect(world.times(number)).toBe(1)
  expect((await act(billing, at, 'retryNow')).faults).toEqual(['409 einvoice_not_waiting'])
})

test('a document that the office refuses for what it says is corrected instead of sent', async () => {
  const { id, number } = await world.invoice(ana.id)
  const at = async () => `${documents}/${(await world.row(id)).id}`
  server.fault = ({ call, document }) =>
    call === 'upload' && document?.number === number ? 'wrong_cif' : undefined
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'waiting', problem: 'refused' })
  expect((await act(billing, await at(), 'correctInstead')).status).toBe(200)
  server.fault = () => undefined
  await world.run()
  expect(await world.row(id)).toMatchObject({ state: 'rejected', said: expect.stringContaining('CIF') })
  expect(world.times(number)).toBe(0)
  expect((await act(billing, await at(), 'correctInstead')).faults).toEqual(['409 einvoice_not_refused'])
  const answer = await billing?.get(`${base}/invoices/${id}`)
  expect(answer?.one.attributes?.is_refused).toBe(true)
})

test('each verb about a document is for billing and administrators alone', async () => {
  const { at } = await unknown()
  const absent = `${documents}/999999`
  for (const [name, body] of [
    ['wasReceived', { upload_index: '5' }],
    ['wasNotReceived', {}],
    ['retryNow', {}],
    ['correctInstead', {}],
  ] as const) {
    expect((await act(portal.nobody, at, name, body)).status, name).toBe(404)
    expect((await act(portal.as(ana.id), at, name, body)).status, name).toBe(404)
    expect((await act(helper, at, name, body)).status, name).toBe(404)
    expect((await act(reader, at, name, body)).status, name).toBe(403)
    expect((await act(billing, absent, name, body)).status, name).toBe(404)
  }
  for (const index of ['', 'a', '1'.repeat(31), 5, null])
    expect((await act(billing, at, 'wasReceived', { upload_index: index })).status, String(index)).toBe(422)
})

const officeAt = async () => {
  const answer = await dan?.get(offices)
  expect(answer?.list).toHaveLength(1)
  return { at: `${offices}/${answer?.list[0]?.id}`, attributes: answer?.list[0]?.attributes }
}

test('an administrator authorises the portal, and switches it on with a test upload and off', async () => {
  await sql`update tax_offices set is_on = false, access_sealed = null, refresh_sealed = null, refresh_ends_at = null,
    access_ends_at = null`.execute(db)
  const { at, attributes } = await officeAt()
  expect(attributes).toMatchObject({ environment: 'prod', is_on: false, is_authorised: false })
  expect(JSON.stringify(attributes)).not.toMatch(/sealed|token/)
  expect((await act(dan, at, 'switchOn', { from_day: '2026-11-01' })).faults).toEqual([
    '409 einvoice_not_authorised',
  ])
  const begun = JSON.parse((await act(dan, at, 'authorise')).text)
  // The office sends the person back with a code.
  const back = new URL((await fetch(begun.url, { redirect: 'manual' })).headers.get('location') ?? '')
  expect(back.pathname).toBe('/desk/e-factura')
  const given = { code: back.searchParams.get('code'), state: back.searchParams.get('state') }
  const eve = await staff('admin')
  expect((await act(eve, at, 'connect', given)).faults).toEqual(['409 einvoice_authorisation_ended'])
  expect((await act(dan, at, 'connect', { ...given, state: 'x' })).faults).toEqual([
    '409 einvoice_authorisation_ended',
  ])
  expect((await act(dan, at, 'connect', given)).status).toBe(200)
  expect((await act(dan, at, 'connect', given)).faults).toEqual(['409 einvoice_authorisation_ended'])
  expect((await officeAt()).attributes).toMatchObject({ is_authorised: true, is_on: false })
  const before = server.office.uploads.length
  expect((await act(dan, at, 'switchOn', { from_day: '2026-11-01' })).status).toBe(200)
  const [tried] = server.office.uploads.slice(before)
  expect(tried).toMatchObject({ environment: 'test', document: { number: expect.stringMatching(/^TEST-/) } })
  expect((await officeAt()).attributes).toMatchObject({ is_on: true, from_day: '2026-11-01' })
  expect((await act(dan, at, 'switchOff')).status).toBe(200)
  const { number } = await world.invoice(ana.id)
  await world.run()
  expect(world.times(number)).toBe(0)
  const { rows } = await sql<{ text: string }>`select c.after::text as text from staff_action_changes c
    where c.table_name = 'tax_offices' and c.after ? 'access_sealed'`.execute(db)
  expect(rows.map(({ text }) => text).join()).toContain('"access_sealed": "changed"')
})

test('a refused test upload says the office’s reason, and leaves it off', async () => {
  await sql`update tax_offices set is_on = false`.execute(db)
  const { at } = await officeAt()
  server.fault = ({ call }) => (call === 'upload' ? 'wrong_cif' : undefined)
  const refused = await act(dan, at, 'switchOn', { from_day: '2026-11-01' })
  expect(refused.faults).toEqual(['422 einvoice_office_refused'])
  expect(refused.errors[0]?.detail).toContain('Nu exista niciun CIF')
  server.fault = ({ call }) => (call === 'upload' ? 'failed' : undefined)
  expect((await act(dan, at, 'switchOn', { from_day: '2026-11-01' })).faults).toEqual([
    '503 einvoice_office_unavailable',
  ])
  expect((await officeAt()).attributes).toMatchObject({ is_on: false })
})

test('an operator abroad, or without the application of the office, is told so', async () => {
  const { at } = await officeAt()
  await sql`update operator_profile set country = 'DE'`.execute(db)
  expect((await act(dan, at, 'switchOn', { from_day: '2026-11-01' })).faults).toEqual([
    '409 einvoice_seller_abroad',
  ])
  await sql`update operator_profile set country = 'RO'`.execute(db)
  const bare = await testPortal()
  await sql`update tax_offices set in_use = true where environment = 'prod'`.execute(bare.pool.kysely)
  const admin = bare.staff(await makeAdmin(bare.pool, 'admin'))
  const { list } = await admin.get(offices)
  expect((await act(admin, `${offices}/${list[0]?.id}`, 'authorise')).faults).toEqual([
    '409 einvoice_not_configured',
  ])
})

test('each verb about the office is for administrators with a recent sign-in alone', async () => {
  const { at } = await officeAt()
  for (const [name, body] of [
    ['authorise', {}],
    ['connect', { code: 'a', state: 'b' }],
    ['switchOn', { from_day: '2026-11-01' }],
    ['switchOff', {}],
  ] as const) {
    expect((await act(portal.nobody, at, name, body)).status, name).toBe(404)
    expect((await act(portal.as(ana.id), at, name, body)).status, name).toBe(404)
    expect((await act(helper, at, name, body)).status, name).toBe(404)
    expect((await act(billing, at, name, body)).status, name).toBe(403)
    expect((await act(reader, at, name, body)).status, name).toBe(403)
    expect((await act(dan, `${offices}/999`, name, body)).status, name).toBe(404)
  }
  expect((await act(dan, at, 'switchOn', {})).status).toBe(422)
  expect((await act(dan, at, 'switchOn', { from_day: '1800-01-01' })).status).toBe(422)
  expect((await act(dan, at, 'connect', { code: '', state: 'b' })).status).toBe(422)
  const { rows } = await sql<{ id: number }>`select id from tax_offices where environment = 'test'`.execute(
    db,
  )
  expect((await act(dan, `${offices}/${rows[0]?.id}`, 'switchOff')).status).toBe(404)
})
