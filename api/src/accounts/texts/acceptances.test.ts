import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const { app } = await testApp(pool)

// Ahead of the calendar, so that the people of these tests registered before every version.
beforeAll(() => businessTime(pool, '2099-11-20T10:00:00Z'))

const publish = (version: string, from_day: string) =>
  admin.post(`${base}/published-texts/-actions/publish`, {
    data: { kind: 'terms', version, from_day, body_en: 'We host.', body_ro: 'Găzduim.' },
  })
const accept = (id: number, version: string) =>
  portal.as({ id }).post(`${base}/clients/${id}/-actions/acceptTerms`, { data: { version } })

async function signedIn(email: string) {
  const browser = new Browser(app)
  await browser.signIn(email)
  return async () => {
    const authorization = `Bearer ${browser.cookies.get('token')}`
    return (await browser.ask({ method: 'GET', url: '/api/user', headers: { authorization } })).json()
  }
}

test('people are asked for each version that applies after they registered, once, and staff never', async () => {
  const { id } = await person(pool, 'asked@example.com')
  const user = await signedIn('asked@example.com')
  const member = await makeMember(pool, 'admin')
  const staff = await signedIn(member.email)
  expect((await user()).terms_due).toBeNull()
  expect((await publish('2099-11', '2099-11-20')).status).toBe(200)
  expect((await publish('2100-01', '2100-01-01')).status).toBe(200)
  expect([(await user()).terms_due, (await staff()).terms_due]).toEqual(['2099-11', null])
  expect((await accept(id, '2100-01')).errors).toMatchObject([
    { status: '409', code: 'terms_changed', source: { pointer: '/data/version' } },
  ])
  expect((await accept(id, '2099-11')).status).toBe(200)
  expect((await accept(id, '2099-11')).status).toBe(200)
  expect((await user()).terms_due).toBeNull()
  await businessTime(pool, '2100-01-01T10:00:00Z')
  expect((await user()).terms_due).toBe('2100-01')
  const { rows } = await sql`select version from terms_acceptances where client_id = ${id}`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([{ version: '2099-11' }])
})

test('who registers accepts the version of the day with it', async () => {
  const email = 'fresh@example.com'
  const payload = { email, password: 'a long enough password', first_name: 'A', last_name: 'B', terms: true }
  await new Browser(app).ask({ method: 'POST', url: '/auth/register', payload })
  const { rows } = await sql<{ version: string }>`select a.version from terms_acceptances a
    join clients c on c.id = a.client_id where c.email = ${email}`.execute(pool.kysely)
  expect(rows).toEqual([{ version: '2100-01' }])
})
