import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bringOver } from '#money/ledger/opening.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { keyed } from '#test/support/card.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { lettersTo } from '#test/support/mail.ts'
import { Browser, password, person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
const member = async (role: 'support' | 'billing' | 'admin' | 'readonly') =>
  portal.staff((await makeMember(pool, role)).admin)
const support = await member('support')
const chief = await member('admin')
const other = await member('admin')
let count = 0
let ana: { readonly id: number; readonly email: string }

beforeAll(() => makeOperator(pool))
beforeEach(async () => {
  ana = await person(pool, `end-${++count}@example.test`)
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const why = 'She asked for it in T-4K7Q'
const act = (who: Visitor, verb: string, data: object = {}) =>
  who.call('POST', `${base}/desk-clients/${ana.id}/-actions/${verb}`, {
    body: { data },
    headers: { 'portico-reason': why },
  })
const shown = async () => (await chief.get(`${base}/desk-clients/${ana.id}`)).one.attributes
const ask = (email: string, who = chief) =>
  keyed(who, `${base}/desk-requests/-actions/ask`, {
    data: { verb: 'erase', ref: String(ana.id), input: { email } },
  })
const requestOf = ({ json }: Awaited<ReturnType<typeof ask>>) => (json as { request_id: number }).request_id
const approve = (id: number) => other.post(`${base}/desk-requests/${id}/-actions/approve`, { data: {} })

test('support prepare a copy of the data that its owner alone reads', async () => {
  expect((await act(support, 'exportData')).json).toEqual({ status: 'queued' })
  expect((await act(support, 'exportData')).faults).toEqual(['409 data_export_running'])
  const { rows } = await sql`select by_staff from data_exports where client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([{ by_staff: true }])
  const browser = new Browser(app)
  await browser.signIn(ana.email)
  const { exports } = (await browser.get('/api/user/exports')).json()
  expect(exports).toMatchObject([{ status: 'waiting' }])
  await sql`update clients set status = 0 where id = ${ana.id}`.execute(db)
  expect((await act(support, 'exportData')).faults).toEqual(['409 client_not_active'])
  const billing = await member('billing')
  expect((await act(billing, 'exportData')).status).toBe(403)
})

test('an account that staff close is closed as by its owner, who reads why', async () => {
  const browser = new Browser(app)
  await browser.signIn(ana.email)
  const key = await makeKey(pool, { client: ana.id })
  expect((await act(support, 'closeAccount')).json).toEqual({ status: 4 })
  expect((await browser.get('/api/user')).statusCode).toBe(401)
  expect((await new Browser(app).login(ana.email, password)).statusCode).toBe(401)
  const headers = { authorization: `Bearer ${key.secret}` }
  expect((await app.inject({ url: '/api/v1/projects', headers })).statusCode).toBe(401)
  expect((await lettersTo(pool, ana.email)).at(-1)).toMatchObject({
    kind: 'account-closed-by-staff',
    reason: why,
  })
  expect(await shown()).toMatchObject({ status: 4, closed_at: expect.any(String), erased_at: null })
  expect((await act(support, 'closeAccount')).faults).toEqual(['409 client_closed'])
})

test('an account with money, or one that was never signed in to, is closed by the same rules', async () => {
  await bringOver(db, ana.id, { balance: '5', credit: '0', on: '2026-01-01' })
  expect((await act(support, 'closeAccount')).faults).toEqual(['409 account_has_money'])
  expect(await shown()).toMatchObject({ status: 1, closed_at: null })
  expect(await lettersTo(pool, ana.email)).toEqual([])
  ana = await person(pool, `unseen-${count}@example.test`)
  await sql`update clients set auth_id = null where id = ${ana.id}`.execute(db)
  expect((await act(support, 'closeAccount')).status).toBe(200)
})

test('a session of support closes ten accounts in an hour, further ones with a second person, and none long after its sign-in', async () => {
  const { admin } = await makeMember(pool, 'support')
  expect((await act(portal.staff(admin, 'an hour ago'), 'closeAccount')).faults).toEqual([
    '403 recent_sign_in_required',
  ])
  const thief = portal.staff(admin)
  for (let one = 0; one < 10; one++) {
    ana = await person(pool, `closed-${++count}@example.test`)
    expect((await act(thief, 'closeAccount')).status).toBe(200)
  }
  ana = await person(pool, `closed-${++count}@example.test`)
  expect((await act(thief, 'closeAccount')).faults).toEqual(['403 second_person_required'])
  expect((await act(thief, 'suspendClient', { kind: 'abuse' })).faults).toEqual([
    '403 second_person_required',
  ])
  const asked = await keyed(thief, `${base}/desk-requests/-actions/ask`, {
    data: { verb: 'closeAccount', ref: String(ana.id), input: {} },
  })
  expect([asked.status, (await shown())?.status]).toEqual([200, 1])
  expect((await approve(requestOf(asked))).status).toBe(200)
  expect((await shown())?.status).toBe(4)
})

test('two administrators erase a closed account at once, and nothing of the person stays in the log', async () => {
  await makeTicket(pool, { client: ana.id })
  expect((await ask(ana.email)).faults).toEqual(['409 client_not_closed'])
  await act(support, 'closeAccount')
  expect((await act(chief, 'erase', { email: ana.email })).faults).toEqual(['403 second_person_required'])
  expect((await ask(ana.email, support)).status).toBe(403)
  expect((await ask('someone@else.test')).errors[0]?.code).toBe('client_email_differs')
  const id = requestOf(await ask(ana.email.toUpperCase()))
  expect((await shown())?.erased_at).toBeNull()
  expect((await approve(id)).status).toBe(200)
  expect(await shown()).toMatchObject({ first_name: 'Erased', email: `${ana.id}@erased.invalid` })
  for (const table of ['clients', 'staff_requests', 'staff_action_changes', 'tickets', 'outbox_letters']) {
    const { rows } =
      await sql`select from ${sql.table(table)} t where strpos(lower(to_jsonb(t)::text), ${ana.email}) > 0`.execute(
        db,
      )
    expect([table, rows]).toEqual([table, []])
  }
  const { list } = await chief.get(`${base}/staff-actions?filter[client_id]=${ana.id}`)
  expect(list.map(({ attributes }) => attributes?.verb)).toEqual(
    expect.arrayContaining(['erase', 'closeAccount']),
  )
  expect((await approve(id)).status).toBe(403)
  expect((await ask(`${ana.id}@erased.invalid`)).faults).toEqual(['409 client_not_closed'])
})

test('an account whose use is not billed yet is not erased', async () => {
  await sql`insert into panels (client_id, project_id, name, status, external_id, deleted_at)
    select client_id, id, 'web', 'deleted', gen_random_uuid()::text, now() from projects where client_id = ${ana.id} limit 1`.execute(
    db,
  )
  await sql`insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, rated_amount, charged_amount, status, currency)
    select client_id, project_id, id, 'panel', '2026-01-14', 0.5, 0.5, 'charged', 'EUR' from panels where client_id = ${ana.id}`.execute(
    db,
  )
  expect((await act(support, 'closeAccount')).faults).toEqual([])
  expect((await ask(ana.email)).faults).toEqual(['409 client_use_unbilled'])
})

test('invoices of a client are due by their own terms from then on, and as those of others again', async () => {
  await makeBuyer(pool, ana, { language: 'en' })
  const billing = await member('billing')
  const due = async () => {
    const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
    const made = await keyed(billing, `${base}/desk-clients/${ana.id}/-actions/manualInvoice`, {
      data: { lines },
    })
    const { invoice_id } = made.json as { invoice_id: number }
    const { rows } = await sql<{
      days: number
    }>`select due_date - issue_date as days from invoices where id = ${invoice_id}`.execute(db)
    return rows[0]?.days
  }
  expect(await due()).toBe(14)
  expect((await act(billing, 'setTerms', { due_days: 30 })).json).toEqual({ due_days: 30 })
  expect(await shown()).toMatchObject({ due_days: 30 })
  expect(await due()).toBe(30)
  for (const [due_days, code] of [
    [366, 'number_most'],
    [-1, 'number_least'],
  ] as const)
    expect((await act(billing, 'setTerms', { due_days })).errors[0]?.code).toBe(code)
  await act(billing, 'setTerms', { due_days: 0 })
  expect(await due()).toBe(0)
  await act(billing, 'setTerms', { due_days: null })
  expect(await due()).toBe(14)
  expect((await act(support, 'setTerms', { due_days: 7 })).status).toBe(403)
})
