import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTrial } from '#money/balance/trial.ts'
import { keepCard } from '#money/payments/cards/cards.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { lettersTo } from '#test/support/mail.ts'
import { type Browser, browsersOn, person } from '#test/support/people.ts'
import { share } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'
import { addStaff } from './staff-registry.ts'

// A login is a client's or one of staff, never both (0234).

const { pool } = await testDatabase(8)
const { app, lines } = await testApp(pool)
const db = pool.kysely
const newBrowser = browsersOn(app)

let made = 0
const client = () => person(pool, `somebody-${++made}@example.test`)
const add = (email: string, tx = db) =>
  addStaff({ tx, now: new Date() }, { email, role: 'support', displayName: undefined })
const kindsOf = async (accountId: string) => {
  const { rows } = await sql<{ login: string; client: string }>`select a.kind as login, c.kind as client
    from auth_accounts a join clients c on c.auth_id = a.id where a.id = ${accountId}`.execute(db)
  return rows[0]
}
const refused = (constraint: string) => ({ constraint })

describe('the database', () => {
  test('has a login of one kind, which its client follows, and does not let it be changed', async () => {
    const { id, accountId, email } = await client()
    expect(await kindsOf(accountId)).toEqual({ login: 'client', client: 'client' })
    await add(email)
    expect(await kindsOf(accountId)).toEqual({ login: 'staff', client: 'staff' })
    for (const [write, constraint] of [
      [sql`update clients set kind = 'client' where id = ${id}`, 'clients_login'],
      [sql`update auth_accounts set kind = 'client' where id = ${accountId}`, 'admins_login'],
      [sql`update admins set kind = 'client' where auth_id = ${accountId}`, 'admins_kind_check'],
      [sql`update clients set trial_ends_at = now() where id = ${id}`, 'clients_staff_no_trial'],
    ] as const)
      await expect(write.execute(db)).rejects.toMatchObject(refused(constraint))
  })

  test('makes a client of staff where a release that knows no kinds writes the member first', async () => {
    const { rows } = await sql<{ id: string }>`insert into auth_accounts (email, email_key)
      values ('earlier@example.test', 'earlier@example.test') returning id`.execute(db)
    const accountId = rows[0]?.id ?? ''
    await sql`insert into admins (email, display_name, role, auth_id)
      values ('earlier@example.test', 'Earlier', 'support', ${accountId})`.execute(db)
    await sql`insert into clients (auth_id, email, first_name, last_name, language_id, currency_id)
      select ${accountId}, 'earlier@example.test', 'Earlier', '', min(l.id), min(q.currency_id)
      from languages l, currency_policies q`.execute(db)
    expect(await kindsOf(accountId)).toEqual({ login: 'staff', client: 'staff' })
  })

  const writes: readonly (readonly [string, (staff: number, other: number) => RawBuilder<unknown>])[] = [
    [
      'a panel',
      (staff) => sql`insert into panels (client_id, project_id, name)
      select ${staff}, id, 'p' from projects where client_id = ${staff}`,
    ],
    ['an API key', (staff) => sql`insert into api_keys (client_id) values (${staff})`],
    ['a payment', (staff) => sql`insert into payments (client_id) values (${staff})`],
    ['a credit', (staff) => sql`insert into promo_grants (client_id) values (${staff})`],
    ['a ticket', (staff) => sql`insert into tickets (client_id) values (${staff})`],
    ['an automatic rule', (staff) => sql`insert into automated_billing_rules (client_id) values (${staff})`],
    [
      'a permission to others',
      (staff) => sql`insert into share_permissions (inviting_client_id) values (${staff})`,
    ],
    [
      'a permission by others',
      (staff, other) =>
        sql`insert into share_permissions (inviting_client_id, invited_client_id) values (${other}, ${staff})`,
    ],
    [
      'an accepted permission',
      (staff, other) => sql`update share_permissions set invited_client_id = ${staff}
      where inviting_client_id = ${other}`,
    ],
  ]

  test.each(writes)('gives no member of staff %s', async (_, write) => {
    const [{ client: staff }, { id: other }] = [await makeMember(pool, 'support'), await client()]
    await sql`insert into share_permissions (inviting_client_id) values (${other})`.execute(db)
    await expect(write(staff, other).execute(db)).rejects.toMatchObject(refused('staff_no_customer'))
  })
})

type Given = { readonly id: number; readonly other: number }

const uses: readonly (readonly [string, string, (given: Given) => unknown])[] = [
  [
    'a panel',
    'staff_account_has_panels',
    ({ id }) =>
      sql`insert into panels (client_id, project_id, name) select ${id}, id, 'p' from projects where client_id = ${id}`.execute(
        db,
      ),
  ],
  [
    'an open payment',
    'staff_account_in_use',
    ({ id }) =>
      sql`insert into payments (client_id, purpose, provider, currency, net, vat, gross, vat_treatment, vat_country, vat_rate)
        values (${id}, 'deposit', 'sandbox', 'EUR', 10, 0, 10, 'none', 'RO', 0)`.execute(db),
  ],
  [
    'a card',
    'staff_account_in_use',
    ({ id }) =>
      sql`insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
        values (${id}, 'sandbox', 'ref', 'who', 'visa', '4242', 12, 2040, 'print')`.execute(db),
  ],
  ['an open ticket', 'staff_account_in_use', ({ id }) => makeTicket(pool, { client: id })],
  [
    'access to another account',
    'staff_account_in_use',
    ({ id, other }) => share(pool, { id: other }, { id }),
  ],
  [
    'an account that others see',
    'staff_account_in_use',
    ({ id, other }) => share(pool, { id }, { id: other }),
  ],
]

describe.each(uses)('a client with %s', (_, code, give) => {
  test('does not become staff, by the command nor by a write past it', async () => {
    const [{ id, email, accountId }, { id: other }] = [await client(), await client()]
    await give({ id, other })
    await expect(db.transaction().execute((tx) => add(email, tx))).rejects.toMatchObject({ code })
    const past = sql`insert into admins (email, display_name, role, auth_id)
      values (${email}, 'Past', 'support', ${accountId})`
    await expect(past.execute(db)).rejects.toMatchObject(refused('staff_account_in_use'))
    expect(await kindsOf(accountId)).toEqual({ login: 'client', client: 'client' })
  })
})

test('a card that arrives when its owner has become staff is removed at the provider', async () => {
  const { id, email } = await client()
  await add(email)
  const described = {
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2040,
    country: null,
    fingerprint: 'late',
  }
  const card = { ref: `late-${id}`, customerRef: 'who', ...described }
  const owner = { clientId: id, provider: 'sandbox' } as const
  expect(await db.transaction().execute((tx) => keepCard(tx, owner, card))).toBeNull()
  const { rows } = await sql`select j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'card.detach'`.execute(db)
  expect(rows).toEqual([{ payload: { provider: 'sandbox', ref: `late-${id}` } }])
})

test('shared access that has lapsed keeps nobody from becoming staff', async () => {
  const [{ id, email, accountId }, { id: other }] = [await client(), await client()]
  await share(pool, { id: other }, { id }, { expires_at: '2020-01-01T00:00:00Z' })
  await db.transaction().execute((tx) => add(email, tx))
  expect(await kindsOf(accountId)).toEqual({ login: 'staff', client: 'staff' })
})

test('a write past the command ends the keys and the trial too, and its credit is due to go back', async () => {
  const { id, email, accountId } = await client()
  await makeKey(pool, { client: id })
  await db.transaction().execute((tx) => startTrial(tx, id))
  await sql`insert into admins (email, display_name, role, auth_id)
    values (${email}, 'Past', 'support', ${accountId})`.execute(db)
  const { rows } = await sql`select c.trial_ends_at, f.enabled, b.evaluate_due,
      (select bool_and(g.expires_on <= clock_today()) from promo_grants g where g.client_id = c.id) as ended,
      (select bool_and(k.revoked_at is not null) from api_keys k where k.client_id = c.id) as revoked
    from clients c join account_balances b on b.client_id = c.id
      join client_features f on f.client_id = c.id and f.feature = 'trial' where c.id = ${id}`.execute(db)
  expect(rows).toEqual([
    { trial_ends_at: null, enabled: false, evaluate_due: true, ended: true, revoked: true },
  ])
})

const api = 'application/vnd.api+json'
const keyBody = {
  data: {
    type: 'api-keys',
    attributes: { name: 'A program', scopes: ['panels:read'], allowed_ips: ['127.0.0.1'] },
  },
}

/** Asks for an API key as the portal's page does. */
const askForKey = (browser: Browser) =>
  browser.ask({
    method: 'POST',
    url: '/api/v1/api-keys',
    headers: { authorization: `Bearer ${browser.cookies.get('token')}`, 'content-type': api },
    payload: JSON.stringify(keyBody),
  })

describe('at the same time', () => {
  test('a key that is asked for while its owner becomes staff is refused', async () => {
    const { id, email } = await client()
    const browser = newBrowser()
    await browser.signIn(email)
    const asked = await db.transaction().execute(async (tx) => {
      await add(email, tx)
      const answer = askForKey(browser)
      await untilBlocked(pool)
      return { answer }
    })
    const answer = await asked.answer
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([403, 'staff_no_customer'])
    const { rows } = await sql`select from api_keys where client_id = ${id}`.execute(db)
    expect(rows).toEqual([])
  })

  test('a client does not become staff while their key is being written', async () => {
    const { id, email } = await client()
    const becoming = await db.transaction().execute(async (tx) => {
      await sql`insert into share_permissions (inviting_client_id) values (${id})`.execute(tx)
      const adding = db
        .transaction()
        .execute((other) => add(email, other))
        .catch((error: unknown) => error)
      await untilBlocked(pool)
      return { adding }
    })
    expect(await becoming.adding).toMatchObject({ code: 'staff_account_in_use' })
  })
})

describe('the address of a member of staff', () => {
  test('is not registered as a client’s, and the letter about it is the one to any owner', async () => {
    const { email } = await makeMember(pool, 'admin')
    const before = await sql`select count(*) from auth_accounts`.execute(db)
    const answer = await newBrowser().ask({
      method: 'POST',
      url: '/auth/register',
      payload: {
        first_name: 'Eve',
        last_name: 'X',
        email: email.toUpperCase(),
        password: 'seven green bicycles',
        terms: true,
      },
    })
    expect(answer.statusCode).toBe(200)
    expect((await sql`select count(*) from auth_accounts`.execute(db)).rows).toEqual(before.rows)
    expect((await lettersTo(pool, email)).map(({ kind }) => kind)).toEqual(['already-registered'])
  })

  test('accepts no invitation to the account of a client', async () => {
    const owner = await client()
    const { email } = await makeMember(pool, 'support')
    const { rows } = await sql<{ id: number }>`with p as (
        insert into share_permissions (inviting_client_id) values (${owner.id}) returning id)
      insert into share_invitations (permission_id, client_id, first_name, last_name, invited_email, last_sent_at, link_expires_at,
        token_hash) select id, ${owner.id}, 'S', 'T', ${email}, now(), now() + interval '1 day', sha256('token') from p
      returning permission_id as id`.execute(db)
    const browser = newBrowser()
    await browser.signIn(email)
    const answer = await browser.ask({
      method: 'POST',
      url: '/api/v1/share-invitations/-actions/acceptInvitation',
      headers: { authorization: `Bearer ${browser.cookies.get('token')}`, 'content-type': api },
      payload: JSON.stringify({ data: { token: 'token' } }),
    })
    expect(answer.statusCode).toBe(403)
    const kept = await sql`select invited_client_id from share_permissions where id = ${rows[0]?.id}`.execute(
      db,
    )
    expect(kept.rows).toEqual([{ invited_client_id: null }])
  })
})

test('the server logged no bug', () => {
  expect(lines.filter((line) => /"level":50/.test(JSON.stringify(line)))).toEqual([])
})
