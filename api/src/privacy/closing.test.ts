import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bringOver } from '#money/ledger/opening.ts'
import { notify } from '#notifications/notifications.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { lettersTo, newestLetter } from '#test/support/mail.ts'
import { Browser, password, person, stoppedClock } from '#test/support/people.ts'
import { share } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'
import { eraseClosed } from './erase-account.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 1000 } })
const minutes = 60_000
const days = 24 * 60 * minutes

let count = 0
async function somebody() {
  clock.forward(2 * minutes)
  const one = await person(pool, `close-${++count}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(one.email)
  return { ...one, browser }
}

const close = (browser: Browser, email: string) => browser.send('POST', '/api/user/close', { email })
const closing = async (browser: Browser) => (await browser.get('/api/user/closing')).json()
const rowOf = (id: number) =>
  db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function panelOf(client: number, status = 'active'): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into panels (client_id, project_id, name, status, external_id)
    select ${client}, id, 'web', ${status}, gen_random_uuid()::text from projects where client_id = ${client} limit 1
    returning id`.execute(db)
  return rows[0]?.id ?? 0
}

const cardOf = async (client: number) => {
  const { rows } = await sql<{ id: number; ref: string }>`
    insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, country, fingerprint,
      is_default)
    values (${client}, 'sandbox', gen_random_uuid()::text, 'cus', 'visa', '4242', 12, 2040, 'RO', gen_random_uuid()::text, true)
    returning id, provider_ref as ref`.execute(db)
  return rows[0] ?? { id: 0, ref: '' }
}

test('an account is closed by who owns it: signed in lately, and with their own address typed', async () => {
  const ana = await somebody()
  expect(await closing(ana.browser)).toEqual({
    obstacles: [],
    balance: 0,
    currency: 'EUR',
    panels: 0,
    erased_after_days: 30,
  })
  expect((await close(ana.browser, 'someone@else.test')).statusCode).toBe(422)
  expect((await close(new Browser(app), ana.email)).statusCode).toBe(401)
  clock.forward(11 * minutes)
  await ana.browser.refresh()
  const late = await close(ana.browser, ana.email)
  expect([late.statusCode, late.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
  expect((await rowOf(ana.id)).status).toBe(1)
  await ana.browser.signIn(ana.email)
  const closed = await close(ana.browser, ` ${ana.email.toUpperCase()} `)
  expect([closed.statusCode, closed.json()]).toEqual([200, { status: true }])
  expect(await rowOf(ana.id)).toMatchObject({ status: 4, erased_at: null })
  expect(ana.browser.cookies.has('token')).toBe(false)
})

test('a guest closes no account but their own, even with all permissions', async () => {
  const [owner, guest] = [await somebody(), await somebody()]
  await share(pool, owner, guest, { billing: 'allowed', tickets: 'allowed', workspace_resources: 'all' })
  expect((await close(guest.browser, owner.email)).statusCode).toBe(422)
  await panelOf(owner.id)
  // The answer is about the guest's own account.
  expect(await closing(guest.browser)).toMatchObject({ obstacles: [], panels: 0 })
  expect((await close(guest.browser, guest.email)).statusCode).toBe(200)
  expect((await rowOf(owner.id)).status).toBe(1)
  const { revoked_at } = await db
    .selectFrom('share_permissions')
    .select('revoked_at')
    .where('inviting_client_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  expect(revoked_at).not.toBeNull()
  expect(await newestLetter(pool, owner.email, 'access-left')).toMatchObject({ email: guest.email })
})

test('an account with obstacles is not closed, and all of them are listed', async () => {
  const ana = await somebody()
  await bringOver(db, ana.id, { balance: '-3.21', credit: '0', on: '2026-01-01' })
  const panel = await panelOf(ana.id)
  const refused = await close(ana.browser, ana.email)
  expect([refused.statusCode, refused.json().errors[0].meta]).toEqual([
    409,
    { obstacles: ['panels', 'debt'] },
  ])
  expect(await closing(ana.browser)).toMatchObject({
    obstacles: ['panels', 'debt'],
    balance: -3.21,
    panels: 1,
  })
  await sql`update panels set status = 'deleted', deleted_at = now() where id = ${panel}`.execute(db)
  await sql`insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, rated_amount, currency)
    select ${ana.id}, project_id, id, 'panel', '2026-01-14', 0.5, 'EUR' from panels where id = ${panel}`.execute(
    db,
  )
  expect(await closing(ana.browser)).toMatchObject({ obstacles: ['usage', 'debt'], panels: 0 })
  expect(await rowOf(ana.id)).toMatchObject({ status: 1, closed_at: null })
  expect((await lettersTo(pool, ana.email)).map(({ kind }) => kind)).not.toContain('account-closed')
})

test('money that is left, a payment under way and an unpaid bill are in the way, too', async () => {
  const ana = await somebody()
  await bringOver(db, ana.id, { balance: '10', credit: '5', on: '2026-01-01' })
  const { invoice } = await makeDocuments(pool, ana)
  await sql`update invoices set invoice_status_id = 5 where id = ${invoice}`.execute(db)
  await sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_rate, vat_treatment, vat_country, status)
    values (${ana.id}, 'deposit', 'sandbox', 'EUR', 10, 0, 10, 0, 'reverse_charge', 'DE', 'requires_action')`.execute(
    db,
  )
  expect((await closing(ana.browser)).obstacles).toEqual(['payment', 'money', 'bills'])
})

test.each([
  [
    'money',
    'account_has_money',
    (id: number) => bringOver(db, id, { balance: '5', credit: '0', on: '2026-01-01' }),
  ],
  [
    'a debt',
    'account_in_debt',
    (id: number) => bringOver(db, id, { balance: '-5', credit: '0', on: '2026-01-01' }),
  ],
  [
    'a payment under way',
    'account_payment_unfinished',
    (id: number) =>
      sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_rate, vat_treatment, vat_country,
        status) values (${id}, 'deposit', 'sandbox', 'EUR', 10, 0, 10, 0, 'reverse_charge', 'DE', 'requires_action')`.execute(
        db,
      ),
  ],
  [
    'an unpaid bill',
    'account_has_unpaid_invoices',
    async (id: number) => {
      const { invoice } = await makeDocuments(pool, { id })
      await sql`update invoices set invoice_status_id = 5 where id = ${invoice}`.execute(db)
    },
  ],
  [
    'use that is not charged',
    'account_usage_uncharged',
    async (id: number) => {
      const panel = await panelOf(id)
      await sql`update panels set status = 'deleted', deleted_at = now() where id = ${panel}`.execute(db)
      await sql`insert into usages (client_id, project_id, panel_id, resource_ref, usage_on, rated_amount, currency)
        select ${id}, project_id, id, 'panel', '2026-01-14', 0.5, 'EUR' from panels where id = ${panel}`.execute(
        db,
      )
    },
  ],
])('an account with %s is not closed', async (_, code, unsettle) => {
  const ana = await somebody()
  await unsettle(ana.id)
  const refused = await close(ana.browser, ana.email)
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([409, code])
  expect(await rowOf(ana.id)).toMatchObject({ status: 1, closed_at: null })
})

/** An account with something of all that acts for it. */
async function busy() {
  const [ana, guest] = [await somebody(), await somebody()]
  const elsewhere = new Browser(app)
  await elsewhere.signIn(ana.email)
  const key = await makeKey(pool, { client: ana.id })
  const card = await cardOf(ana.id)
  await sql`insert into automated_billing_rules (client_id, enabled, threshold_amount, recharge_amount, card_id, status,
      consent_at, consent_ip, consent_client_id)
    values (${ana.id}, true, 5, 10, ${card.id}, 'active', now(), '192.0.2.1', ${ana.id})`.execute(db)
  const panel = await panelOf(ana.id)
  await sql`update panels set status = 'deleted', deleted_at = now() where id = ${panel}`.execute(db)
  await sql`insert into sso_grants (panel_id, client_id, role, scopes, domains, ip, asked_at, expires_at)
    values (${panel}, ${ana.id}, 'owner', '{}', '{}', '192.0.2.1', now(), now())`.execute(db)
  await share(pool, ana, guest, { billing: 'allowed' })
  const documents = await makeDocuments(pool, ana)
  // An unpaid proforma is no debt, and the test writes its documents without ledger entries.
  const { ticket } = await makeTicket(pool, { client: ana.id })
  return { ana, guest, elsewhere, key, card, documents, ticket }
}

test('sessions, keys, what was shared, automatic payment, cards and tickets end at once; documents stay', async () => {
  const { ana, guest, elsewhere, key, card, ticket } = await busy()
  await ana.browser.send('POST', '/api/user/exports', {})
  expect((await close(ana.browser, ana.email)).statusCode).toBe(200)

  expect((await elsewhere.get('/api/user')).statusCode).toBe(401)
  expect((await elsewhere.refresh()).statusCode).toBe(401)
  expect((await new Browser(app).login(ana.email, password)).statusCode).toBe(401)
  const headers = { authorization: `Bearer ${key.secret}` }
  expect((await app.inject({ url: '/api/v1/projects', headers })).statusCode).toBe(401)
  const shared = await guest.browser.get(`/api/v1/invoices?filter[client_id]=${ana.id}`)
  expect(shared.json().data).toEqual([])
  expect(await newestLetter(pool, guest.email, 'access-removed')).toMatchObject({ email: ana.email })

  const { rows } = await sql<Record<string, unknown>>`select
      (select count(*)::int from share_invitations where client_id = ${ana.id}) as invitations,
      (select count(*)::int from data_exports where client_id = ${ana.id}) as exports,
      (select count(*)::int from invoices where client_id = ${ana.id}) as invoices,
      (select status from cards where id = ${card.id}) as card,
      (select status from automated_billing_rules where client_id = ${ana.id}) as automatic,
      (select ticket_status_id::int from tickets where id = ${ticket}) as ticket,
      (select count(*)::int from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'card.detach' and j.payload ->> 'ref' = ${card.ref}) as detaching`.execute(db)
  expect(rows[0]).toEqual({
    invitations: 0,
    exports: 0,
    invoices: 3,
    card: 'removed',
    automatic: 'off',
    ticket: 6,
    detaching: 1,
  })
  const letter = await newestLetter(pool, ana.email, 'account-closed')
  expect(Date.parse(letter.erased) - clock.now().getTime()).toBe(30 * days)
  // A link of before leads nowhere, and none is sent any more.
  await new Browser(app).ask({ method: 'POST', url: '/auth/password/forgot', payload: { email: ana.email } })
  expect((await lettersTo(pool, ana.email)).map(({ kind }) => kind)).not.toContain('password-reset')
})

test('operations that started earlier do not finish in a closed account', async () => {
  const ana = await somebody()
  await close(ana.browser, ana.email)
  await expect(panelOf(ana.id)).rejects.toMatchObject({ code: '40001' })
  await expect(cardOf(ana.id)).rejects.toMatchObject({ code: '40001' })
  await expect(makeKey(pool, { client: ana.id })).rejects.toMatchObject({ code: '40001' })
})

/** A request of staff about a client, of which an administrator was notified. */
async function askedAbout({ id, email }: { readonly id: number; readonly email: string }): Promise<void> {
  const { admin, client } = await makeMember(pool, 'admin')
  const about = `Ana · ${email}`
  const { id: request } = await db
    .insertInto('staff_requests')
    .values({
      ...{
        verb: 'changeEmail',
        about_type: 'desk-clients',
        ref: String(id),
        about,
        client_id: id,
        reason: 'Asked',
      },
      ...{ input: JSON.stringify({ email }), asked_by: admin, asked_role: 'admin', asked_alone: false },
      ends_at: clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await notify(db, client, {
    kind: 'staff_request',
    about: request,
    params: { verb: 'changeEmail', about, by: 'Dan' },
  })
}

test('a month later only the data that the law requires remains, and the address is free', async () => {
  const { ana, documents, card } = await busy()
  await askedAbout(ana)
  await close(ana.browser, ana.email)
  expect(await eraseClosed(db, new Date(clock.now().getTime() + 29 * days))).toBe(0)
  const later = new Date(clock.now().getTime() + 31 * days)
  expect(await eraseClosed(db, later)).toBeGreaterThan(0)
  expect(await eraseClosed(db, later)).toBe(0)

  expect(await rowOf(ana.id)).toMatchObject({
    email: `${ana.id}@erased.invalid`,
    first_name: 'Erased',
    auth_id: null,
    status: 4,
  })
  const tables = [
    'clients',
    'client_entities',
    'former_billing_details',
    'register_details',
    'tickets',
    'ticket_messages',
    'ticket_emails',
  ]
  const more = [
    'notifications',
    'api_keys',
    'auth_accounts',
    'outbox_letters',
    'share_invitations',
    'cards',
    'sso_grants',
    'staff_requests',
  ]
  for (const table of [...tables, ...more]) {
    const { rows } = await sql<{
      row: Record<string, unknown>
    }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(db)
    const telling = rows.filter(({ row }) => {
      const text = JSON.stringify(row)
      const isTheirs =
        row.client_id === ana.id && /Since noon|Strada Lungă|4242|Ștefan|192\.0\.2\.1/.test(text)
      return isTheirs || text.includes(ana.email)
    })
    expect([table, telling]).toEqual([table, []])
  }
  const { buyer, full_number } = await db
    .selectFrom('invoices')
    .select(['buyer', 'full_number'])
    .where('id', '=', documents.invoice)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(buyer)).toContain('Strada Lungă 12')
  expect(full_number).toMatch(/^HST-/)
  expect(card.id).toBeGreaterThan(0)
  const again = await person(pool, ana.email)
  expect(again.id).not.toBe(ana.id)
})
