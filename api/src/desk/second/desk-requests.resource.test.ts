import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeMonth } from '#money/invoices/month/close.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { keyed, makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { lettersTo } from '#test/support/mail.ts'
import { used } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'

const portal = await testPortal({ poolSize: 8 })
const { pool } = portal
const db = pool.kysely
let ana: Account
let asker: { id: number; call: Visitor }
let chief: { id: number; call: Visitor; email: string }

const member = async (role: 'support' | 'billing' | 'admin' | 'readonly') => {
  const { admin, email } = await makeMember(pool, role)
  return { id: admin, email, call: portal.staff(admin) }
}

beforeAll(async () => {
  await makeOperator(pool)
  await sql`update operator_profile set base_currency = 'USD', email = 'office@operator.example'`.execute(db)
})
beforeEach(async () => {
  portal.clock.time = undefined
  asker = await member('support')
  chief = await member('admin')
  ana = await makePayer(portal)
})
afterEach(async () => {
  expect(portal.bugs.splice(0)).toEqual([])
  expect(await verifyLedger(db)).toEqual([])
})

const url = `${base}/desk-requests`
type Asked = { verb?: string; ref?: string | null; input?: object }
const ask = (who: Visitor, more: Asked = {}, key?: string) =>
  keyed(
    who,
    `${url}/-actions/ask`,
    { data: { verb: 'goodwill', ref: String(ana.id), input: { amount: 400 }, ...more } },
    key,
  )
async function asked(who: Visitor = asker.call, more: Asked = {}): Promise<number> {
  const answer = await ask(who, more)
  expect([answer.status, answer.faults]).toEqual([200, []])
  return (answer.json as { request_id: number }).request_id
}
const decide = (who: Visitor, id: number, verb = 'approve') =>
  who.call('POST', `${url}/${id}/-actions/${verb}`, {
    body: { data: {} },
    headers: { 'portico-reason': 'I spoke to her' },
  })
const change = (set: ReturnType<typeof sql>, id: number) =>
  sql`update admins set ${set} where id = ${id}`.execute(db)
const older = (id: number, hours: number) =>
  sql`update staff_requests set created_at = created_at - make_interval(hours => ${hours}),
    ends_at = ends_at - make_interval(hours => ${hours}) where id = ${id}`.execute(db)
const credit = async () => {
  const { list } = await portal.as(ana).get(`${base}/account-balances`)
  return list[0]?.attributes?.credit_balance
}
const log = async () => {
  const { rows } = await sql<{ admin_id: number; approved_by: number | null; verb: string; amount: string }>`
    select admin_id, approved_by, verb, reason, amount, counted_on from staff_actions
    where client_id = ${ana.id} order by id`.execute(db)
  return rows
}

test('what is above a limit is asked for, read whole, approved by another person, and logged as both', async () => {
  const id = await asked()
  expect(await credit()).toBe(0)
  expect(await lettersTo(pool, chief.email)).toMatchObject([
    { kind: 'staff-request', verb: 'goodwill', isLonely: false },
  ])
  const read = (await chief.call.get(`${url}/${id}`)).one
  expect(read.attributes).toMatchObject({
    verb: 'goodwill',
    about_type: 'desk-clients',
    ref: String(ana.id),
    client_id: ana.id,
    input: { amount: 400 },
    amount: 400,
    currency: 'USD',
    reason: 'A test asks for it',
    state: 'open',
  })
  expect(read.meta?.may).toMatchObject({ approve: true, decline: true, withdraw: false })
  expect((await asker.call.get(`${url}/${id}`)).one.meta?.may).toMatchObject({
    approve: false,
    decline: false,
    withdraw: true,
  })
  expect((await decide(chief.call, id)).json).toEqual({ state: 'approved' })
  expect(await credit()).toBe(400)
  expect(await log()).toMatchObject([
    { admin_id: asker.id, approved_by: null, verb: 'ask' },
    { admin_id: chief.id, approved_by: null, verb: 'approve', reason: 'I spoke to her' },
    {
      admin_id: asker.id,
      approved_by: chief.id,
      verb: 'goodwill',
      reason: 'A test asks for it',
      amount: '400.00',
      counted_on: null,
    },
  ])
  // The limit of one person is as it was.
  expect(
    (await keyed(asker.call, `${base}/desk-clients/${ana.id}/-actions/goodwill`, { data: { amount: 10 } }))
      .status,
  ).toBe(200)
})

test('approving twice acts once, also by two administrators at the same time', async () => {
  const other = await member('admin')
  const id = await asked()
  const answers = await Promise.all(
    [chief.call, other.call, chief.call, other.call].map((who) => decide(who, id)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(
    answers.filter(({ faults }) => faults[0] === '409 request_decided' || faults[0] === '403 forbidden')
      .length,
  ).toBe(3)
  expect(await credit()).toBe(400)
})

test('the same request sent twice is one', async () => {
  const key = randomUUID()
  const [first, again] = [await ask(asker.call, {}, key), await ask(asker.call, {}, key)]
  expect(again.json).toEqual(first.json)
  expect((await asker.call.get(url)).page.total).toBe(1)
})

test('fifty requests and fifty goodwills at once pass no limit until a second person approves', async () => {
  const goodwill = () =>
    keyed(asker.call, `${base}/desk-clients/${ana.id}/-actions/goodwill`, { data: { amount: 5 } })
  await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? ask(asker.call) : goodwill())))
  expect(await credit()).toBeLessThanOrEqual(50)
  const { rows } = await sql`select from staff_requests where asked_by = ${asker.id}`.execute(db)
  expect(rows.length).toBeLessThanOrEqual(20)
})

test('nobody approves their own request, not in the database either', async () => {
  const own = await asked(chief.call, { input: { amount: 5000 } })
  expect((await decide(chief.call, own)).faults).toEqual(['403 request_own'])
  expect((await decide(chief.call, own, 'decline')).faults).toEqual(['403 request_own'])
  await older(own, 30)
  expect((await decide(chief.call, own)).faults).toEqual(['403 request_own'])
  const approve = sql`update staff_requests set decision = 'approved', decided_at = now(), approved_by = asked_by where id = ${own}`
  await expect(approve.execute(db)).rejects.toThrow('staff_requests_two')
})

test('roles without the right neither ask nor approve, and others see no request', async () => {
  const id = await asked()
  const [billing, readonly] = [await member('billing'), await member('readonly')]
  expect((await ask(readonly.call)).status).toBe(403)
  expect((await ask(asker.call, { verb: 'adjust', input: { amount: 900, direction: 'up' } })).status).toBe(
    403,
  )
  for (const { call } of [billing, readonly]) {
    expect((await call.get(url)).page.total).toBe(0)
    expect((await call.get(`${url}/${id}`)).status).toBe(404)
    for (const verb of ['approve', 'decline', 'withdraw'])
      expect((await decide(call, id, verb)).status).toBe(404)
  }
  for (const who of [portal.as(ana), portal.nobody]) {
    expect((await who.get(url)).status).toBe(404)
    expect((await ask(who)).status).toBe(404)
    expect((await decide(who, id)).status).toBe(404)
  }
  expect((await decide(chief.call, 1_000_000)).status).toBe(404)
  expect((await decide(asker.call, id)).faults).toEqual(['403 request_own'])
  expect((await decide(chief.call, id, 'withdraw')).status).toBe(403)
})

test('what the verb refuses is refused when it is asked for, and the input points at the fault', async () => {
  const wrong = await ask(asker.call, { input: { amount: -1 } })
  expect([wrong.status, wrong.errors[0]?.source]).toEqual([422, { pointer: '/data/input/amount' }])
  for (const input of [{ amount: 1e9 }, { amount: 5, more: 1 }, { amount: 'x' }, {}])
    expect((await ask(asker.call, { input })).status).toBe(422)
  const lines = Array.from({ length: 51 }, () => ({ description_en: 'x', quantity: 1, unit_price: 1 }))
  expect((await ask(chief.call, { verb: 'manualInvoice', input: { lines } })).status).toBe(422)
  for (const ref of ['1000000', 'x', null, `${ana.id} `.repeat(30)])
    expect([404, 422]).toContain((await ask(asker.call, { ref })).status)
  expect((await ask(asker.call, { verb: 'unblock' })).status).toBe(422)
  const billing = await member('billing')
  expect((await ask(billing.call, { verb: 'writeOff', ref: '1000000', input: {} })).status).toBe(404)
  const none = await asker.call.call('POST', `${url}/-actions/ask`, {
    body: { data: { verb: 'goodwill', ref: String(ana.id), input: { amount: 400 } } },
    headers: { 'portico-reason': '', 'idempotency-key': randomUUID() },
  })
  expect(none.faults).toEqual(['422 staff_reason_required Portico-Reason'])
  expect((await asker.call.get(url)).page.total).toBe(0)
  expect(await credit()).toBe(0)
})

test('a person with twenty open requests asks for no more until one is decided', async () => {
  const ids: number[] = []
  for (let one = 0; one < 20; one++) ids.push(await asked())
  expect((await ask(asker.call)).faults[0]).toMatch(/^409 requests_too_many\b/)
  await decide(chief.call, ids[0] ?? 0, 'decline')
  await asked()
})

test('a request ends after two days, and is declined or withdrawn before', async () => {
  const late = await asked()
  await older(late, 48)
  expect((await decide(chief.call, late)).faults).toEqual(['409 request_expired'])
  expect((await chief.call.get(`${url}/${late}`)).one.attributes?.state).toBe('expired')
  const declined = await asked()
  expect((await decide(chief.call, declined, 'decline')).json).toEqual({ state: 'declined' })
  expect((await asker.call.get(`${url}/${declined}`)).one.attributes).toMatchObject({
    state: 'declined',
    decided_reason: 'I spoke to her',
    decided_by_name: 'admin',
  })
  const withdrawn = await asked()
  expect((await decide(asker.call, withdrawn, 'withdraw')).json).toEqual({ state: 'withdrawn' })
  for (const id of [declined, withdrawn]) expect((await decide(chief.call, id)).status).toBe(403)
  expect(await credit()).toBe(0)
})

test('a request of somebody who was disabled, lost the role or their second factor is refused', async () => {
  for (const set of [
    sql`disabled_at = now()`,
    sql`role = 'readonly'`,
    sql`role = 'billing'`,
    sql`totp_required = true`,
  ]) {
    asker = await member('support')
    const id = await asked()
    await change(set, asker.id)
    expect((await decide(chief.call, id)).faults).toEqual(['409 request_rights_lost'])
    expect((await chief.call.get(`${url}/${id}`)).one.attributes?.state).toBe('open')
  }
  // Away and back: who raised them again could be the thief.
  asker = await member('support')
  const id = await asked()
  await change(sql`role = 'readonly'`, asker.id)
  await change(sql`role = 'support'`, asker.id)
  expect((await decide(chief.call, id)).faults).toEqual(['409 request_rights_lost'])
  expect(await credit()).toBe(0)
})

test('whose rights are new neither asks nor approves: a stolen administrator could invite an accomplice', async () => {
  const id = await asked()
  const accomplice = await member('readonly')
  await change(sql`role = 'admin'`, accomplice.id)
  expect((await decide(accomplice.call, id)).faults).toEqual(['403 request_too_new'])
  const enabled = await member('admin')
  await change(sql`disabled_at = now()`, enabled.id)
  await change(sql`disabled_at = null`, enabled.id)
  expect((await decide(enabled.call, id)).faults).toEqual(['403 request_too_new'])
  expect((await ask(enabled.call)).faults).toEqual(['403 request_too_new'])
  await change(sql`rights_since = now() - interval '73 hours'`, enabled.id)
  expect((await decide(enabled.call, id)).status).toBe(200)
})

test('what would move more than was asked for is refused', async () => {
  const billing = await member('billing')
  await used(db, ana, ['2026-10-05'], '2000')
  const bill = await db
    .transaction()
    .execute((tx) => closeMonth(tx, ana.id, { from: '2026-10-01', until: '2026-11-01' }))
  const ref = String(bill?.id)
  const first = await keyed(billing.call, `${base}/invoices/${ref}/-actions/writeOff`, { data: {} })
  expect(first.faults[0]).toMatch(/staff_limit/)
  const id = await asked(billing.call, { verb: 'writeOff', ref, input: {} })
  const { amount } = (await chief.call.get(`${url}/${id}`)).one.attributes ?? {}
  expect(amount).toBeGreaterThan(2000)
  await sql`update staff_requests set amount = amount - 0.01 where id = ${id}`.execute(db)
  expect((await decide(chief.call, id)).faults).toEqual(['409 request_grown'])
  await sql`update staff_requests set amount = amount + 0.01 where id = ${id}`.execute(db)
  expect((await decide(chief.call, id)).status).toBe(200)
  // It was settled meanwhile.
  const again = await ask(billing.call, { verb: 'writeOff', ref, input: {} })
  expect(again.faults).toEqual(['422 bill_not_open'])
})

test('the only administrator approves alone after a day, and the operator was told', async () => {
  await sql`update admins set disabled_at = now(), rights_since = '2020-01-02' where role = 'admin' and id <> ${chief.id}`.execute(
    db,
  )
  await sql`update admins set rights_since = '2020-01-01'`.execute(db)
  const before = (await lettersTo(pool, 'office@operator.example')).length
  const id = await asked(chief.call, { input: { amount: 5000 } })
  expect(await lettersTo(pool, chief.email)).toMatchObject([{ kind: 'staff-request', isLonely: true }])
  expect((await lettersTo(pool, 'office@operator.example')).length).toBe(before + 1)
  expect((await decide(chief.call, id)).faults).toEqual(['403 request_own'])
  await older(id, 25)
  // Somebody was disabled or raised meanwhile, so it is not certain who is alone.
  const gone = await member('admin')
  await change(sql`disabled_at = now()`, gone.id)
  expect((await decide(chief.call, id)).faults).toEqual(['403 request_own'])
  await change(sql`rights_since = '2020-01-01'`, gone.id)
  expect((await decide(chief.call, id)).status).toBe(200)
  expect(await credit()).toBe(5000)
})

test('an old sign-in neither asks nor approves', async () => {
  const { app } = await testApp(pool)
  const id = await asked()
  const browser = new Browser(app)
  await browser.signIn(chief.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const send = (path: string, data: object) =>
    browser.ask({
      method: 'POST',
      url: `${url}/${path}`,
      headers: {
        authorization: `Bearer ${browser.cookies.get('token')}`,
        'content-type': 'application/vnd.api+json',
        'portico-reason': 'It is late',
        'idempotency-key': randomUUID(),
      },
      payload: JSON.stringify({ data }),
    })
  const goodwill = { verb: 'goodwill', ref: String(ana.id), input: { amount: 4000 } }
  for (const answer of [await send(`${id}/-actions/approve`, {}), await send('-actions/ask', goodwill)])
    expect(answer.json().errors[0].code).toBe('recent_sign_in_required')
  expect(await credit()).toBe(0)
})

test('two administrators invite a third, who approves nothing for three days', async () => {
  const other = await member('admin')
  const input = { email: 'third@example.test', display_name: 'Ion', language: 'en' }
  const id = await asked(chief.call, { verb: 'inviteAdmin', ref: null, input })
  expect((await other.call.get(`${url}/${id}`)).one.attributes).toMatchObject({
    about: 'third@example.test',
    input,
    amount: null,
    client_id: null,
  })
  expect(await lettersTo(pool, 'third@example.test')).toEqual([])
  expect((await decide(other.call, id)).json).toEqual({ state: 'approved' })
  expect(await lettersTo(pool, 'third@example.test')).toMatchObject([
    { kind: 'staff-invitation', role: 'admin' },
  ])
  expect(
    (await ask(chief.call, { verb: 'inviteAdmin', ref: null, input: { ...input, email: 'x' } })).status,
  ).toBe(422)
  expect((await ask(asker.call, { verb: 'inviteAdmin', ref: null, input })).status).toBe(403)
})

test('two administrators raise a member and demote another, and two requests about each other do not both count', async () => {
  const other = await member('admin')
  const raise = await asked(chief.call, { verb: 'setRole', ref: String(asker.id), input: { role: 'admin' } })
  expect((await decide(other.call, raise)).status).toBe(200)
  const roleOf = async (id: number) =>
    (await db.selectFrom('admins').select('role').where('id', '=', id).executeTakeFirst())?.role
  expect(await roleOf(asker.id)).toBe('admin')
  // Raised just now, they neither ask nor approve.
  const demote = await asked(chief.call, {
    verb: 'setRole',
    ref: String(other.id),
    input: { role: 'support' },
  })
  expect((await decide(portal.staff(asker.id), demote)).faults).toEqual(['403 request_too_new'])
  const back = await asked(other.call, { verb: 'setRole', ref: String(chief.id), input: { role: 'support' } })
  const answers = await Promise.all([decide(chief.call, back), decide(other.call, demote)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  // Nobody asks about their own role.
  const own = await ask(chief.call, { verb: 'setRole', ref: String(chief.id), input: { role: 'support' } })
  expect(own.status).toBeGreaterThanOrEqual(400)
})

test('limits are changed by two persons alone, and count from then on', async () => {
  const other = await member('admin')
  const { list } = await chief.call.get(`${base}/desk-limits?page[size]=50`)
  const limit = list.find(
    ({ attributes }) => attributes?.role === 'support' && attributes.verb === 'goodwill',
  )
  expect(limit?.attributes).toMatchObject({ per_action: 10, per_day: 50, currency: 'USD' })
  const input = { per_action: 20, per_day: 60 }
  const wish = { verb: 'setLimits', ref: limit?.id ?? '', input }
  const alone = await chief.call.post(`${base}/desk-limits/${limit?.id}/-actions/setLimits`, { data: input })
  expect(alone.faults).toEqual(['403 second_person_required'])
  expect((await asker.call.get(`${base}/desk-limits`)).page.total).toBe(0)
  expect((await ask(asker.call, wish)).status).toBe(404)
  const wrong = await ask(chief.call, { ...wish, input: { per_action: 20, per_day: 10 } })
  expect([wrong.status, wrong.errors[0]?.code]).toEqual([422, 'limit_day_below_action'])
  expect((await ask(chief.call, { ...wish, input: { per_action: 2e6, per_day: 2e6 } })).status).toBe(422)
  const id = await asked(chief.call, wish)
  const goodwill = () =>
    keyed(asker.call, `${base}/desk-clients/${ana.id}/-actions/goodwill`, { data: { amount: 20 } })
  expect((await goodwill()).faults).toEqual(['403 staff_limit_action'])
  expect((await decide(other.call, id)).status).toBe(200)
  try {
    expect((await goodwill()).status).toBe(200)
    const { rows } = await sql<{ after: object }>`select c.after from staff_action_changes c
      join staff_actions a on a.id = c.action_id where c.table_name = 'staff_limits' and a.approved_by = ${other.id}`.execute(
      db,
    )
    expect(rows).toMatchObject([{ after: { per_action: 20, per_day: 60 } }])
  } finally {
    await sql`update staff_limits set per_action = 10, per_day = 50 where role = 'support' and verb = 'goodwill'`.execute(
      db,
    )
  }
})

test('a panel is deleted by two persons, only while it is suspended and under its name', async () => {
  const other = await member('admin')
  const dan = await makeAccount(pool, { projects: 1, panels: 1 })
  const [panel = 0] = dan.panels
  const { name } = await db
    .selectFrom('panels')
    .select('name')
    .where('id', '=', panel)
    .executeTakeFirstOrThrow()
  const wish = (input: object) => ({ verb: 'terminatePanel', ref: String(dan.id), input })
  const good = { panel_id: panel, name }
  const at = `${base}/desk-clients/${dan.id}/-actions`
  expect((await chief.call.post(`${at}/terminatePanel`, { data: good })).faults).toEqual([
    '403 second_person_required',
  ])
  expect((await ask(asker.call, wish(good))).status).toBe(403)
  expect((await ask(chief.call, wish(good))).faults).toEqual(['409 panel_not_suspended'])
  await chief.call.post(`${at}/suspendPanel`, { data: { panel_id: panel, kind: 'abuse' } })
  expect((await ask(chief.call, wish({ ...good, name: 'other' }))).errors[0]?.code).toBe('panel_name_differs')
  expect((await ask(chief.call, wish({ ...good, panel_id: ana.panels[0] ?? 1 }))).errors[0]?.code).toBe(
    'client_panel_unknown',
  )
  const id = await asked(chief.call, wish(good))
  const statusOf = async () =>
    (await db.selectFrom('panels').select('status').where('id', '=', panel).executeTakeFirst())?.status
  // It was let run again meanwhile.
  await chief.call.post(`${at}/resumePanel`, { data: { panel_id: panel } })
  expect((await decide(other.call, id)).faults).toEqual(['409 panel_not_suspended'])
  await chief.call.post(`${at}/suspendPanel`, { data: { panel_id: panel, kind: 'abuse' } })
  expect(await statusOf()).toBe('suspended')
  expect((await decide(other.call, id)).json).toEqual({ state: 'approved' })
  expect(await statusOf()).toBe('deleting')
  expect((await lettersTo(pool, dan.email)).at(-1)).toMatchObject({
    kind: 'panel-terminated',
    panel: name,
    reason: 'A test asks for it',
  })
})

test('a panel is not deleted for a debt of which the client had fewer than two letters', async () => {
  const dan = await makeAccount(pool, { projects: 1, panels: 1 })
  const [panel = 0] = dan.panels
  await sql`update panels set status = 'suspended', suspended_at = now(), suspend_reason = 'unpaid' where id = ${panel}`.execute(
    db,
  )
  const { name } = await db
    .selectFrom('panels')
    .select('name')
    .where('id', '=', panel)
    .executeTakeFirstOrThrow()
  const wish = { verb: 'terminatePanel', ref: String(dan.id), input: { panel_id: panel, name } }
  const letter = (step: string) =>
    sql`insert into dunning_steps (client_id, began_on, step, done_on) values (${dan.id}, '2026-11-01', ${step}, '2026-11-02')`.execute(
      db,
    )
  await letter('negative')
  expect((await ask(chief.call, wish)).faults).toEqual(['409 panel_notices_missing'])
  await letter('warned')
  expect((await ask(chief.call, wish)).status).toBe(200)
})

test('the second factor of a client is turned off by two persons, who are told and signed out', async () => {
  const other = await member('admin')
  const { id: dan, accountId } = await person(pool, 'lost-phone@example.test')
  const wish = { verb: 'resetSecondFactor', ref: String(dan), input: {} }
  expect((await ask(chief.call, wish)).faults).toEqual(['409 two_factor_off'])
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at) values (${accountId}, '\\x00', now())`.execute(
    db,
  )
  await sql`update clients set two_fa_enabled = 1 where id = ${dan}`.execute(db)
  const at = `${base}/desk-clients/${dan}/-actions/resetSecondFactor`
  expect((await chief.call.post(at, { data: {} })).faults).toEqual(['403 second_person_required'])
  expect((await ask(asker.call, wish)).status).toBe(403)
  const id = await asked(chief.call, wish)
  const on = async () =>
    (await sql`select from auth_totp where account_id = ${accountId} and enabled_at is not null`.execute(db))
      .rows
  expect(await on()).toHaveLength(1)
  expect((await decide(other.call, id)).status).toBe(200)
  expect(await on()).toHaveLength(0)
  expect((await lettersTo(pool, 'lost-phone@example.test')).at(-1)).toMatchObject({
    kind: 'two-factor-reset',
  })
  expect((await decide(other.call, id)).status).toBe(403)
})
