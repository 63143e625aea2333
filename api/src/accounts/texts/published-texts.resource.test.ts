import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const url = `${base}/published-texts`
const admin = portal.staff(await makeAdmin(pool, 'admin'))

beforeAll(() => businessTime(pool, '2026-11-20T10:00:00Z'))

const text = {
  kind: 'terms',
  version: '2026-11',
  from_day: '2026-11-20',
  body_en: '## 1. Service\n\nWe run servers.',
  body_ro: '## 1. Serviciul\n\nAdministrăm servere.',
}
const publish = (who: Visitor, more: object = {}) =>
  who.post(`${url}/-actions/publish`, { data: { ...text, ...more } })
const faults = ({ errors }: Awaited<ReturnType<typeof publish>>) =>
  errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer?.replace(/.*\//, '')}`)
const current = async (who: Visitor, kind = 'terms') =>
  (await who.get(`${url}/-actions/current?payload%5Bkind%5D=${kind}`)).json

const register = async (terms_version: string) => {
  const ana = await person(pool, `${crypto.randomUUID()}@example.com`)
  const attributes = {
    first_name: 'Ana',
    last_name: 'Marin',
    account_type: 2,
    terms_version,
    marketing_consent: false,
    source: 'email',
  }
  return portal.as(ana).post(`${base}/register-details`, { data: { type: 'register-details', attributes } })
}

test('nobody’s text is published at first, and any version can be accepted', async () => {
  const none = { version: null, from_day: null, body_en: null, body_ro: null }
  expect([await current(portal.nobody), await current(portal.nobody, 'privacy')]).toEqual([none, none])
  expect((await register('2026-01')).status).toBe(201)
})

test('a visitor reads the version of the day, and only that one is accepted', async () => {
  expect(faults(await publish(admin))).toEqual([])
  expect(
    faults(await publish(admin, { version: '2027-01', from_day: '2027-01-01', body_en: 'New' })),
  ).toEqual([])
  const { kind: _, ...shown } = text
  expect(await current(portal.nobody)).toEqual(shown)
  expect(faults(await register('2026-01'))).toEqual(['409 terms_changed terms_version'])
  expect((await register('2026-11')).status).toBe(201)
  await businessTime(pool, '2027-01-01T00:00:00Z')
  expect(await current(portal.nobody)).toMatchObject({ version: '2027-01', body_en: 'New' })
  expect(faults(await register('2026-11'))).toEqual(['409 terms_changed terms_version'])
  await businessTime(pool, '2026-11-20T10:00:00Z')
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'publish', reason: 'A test asks for it' })
})

test('the version of the day stands in the log of who registers', async () => {
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  const email = 'texts@example.com'
  await browser.ask({
    method: 'POST',
    url: '/auth/register',
    payload: {
      email,
      password: 'a long enough password',
      first_name: 'A',
      last_name: 'B',
      terms: true,
      language: 'en',
    },
  })
  const { rows } = await sql<{ about: string }>`select e.about from auth_events e
    join auth_accounts a on a.id = e.account_id where a.email = ${email} and e.kind = 'registered'`.execute(
    pool.kysely,
  )
  expect(rows).toEqual([{ about: 'terms 2026-11' }])
})

test.each([
  [{ version: '2026-11', from_day: '2026-12-01' }, '409 text_version_taken version'],
  [{ version: 'other' }, '409 text_day_taken from_day'],
  [{ version: 'other', from_day: '2026-11-19' }, '422 text_from_past from_day'],
  [{ version: ' ', from_day: '2026-12-02' }, '422 value_required version'],
  [{ version: 'x', from_day: '2026-12-02', body_ro: '' }, '422 message_required body_ro'],
  [{ version: 'x', from_day: '2026-12-02', body_en: 'x'.repeat(60_001) }, '422 characters_most body_en'],
  [{ kind: 'imprint' }, '422 value_not_among kind'],
])('%j is refused', async (more, fault) => {
  expect(faults(await publish(admin, more))).toEqual([fault])
})

test('a published text never changes, even in the database', async () => {
  const { kysely: db } = pool
  await expect(sql`update published_texts set body_en = 'x'`.execute(db)).rejects.toThrow(
    /published_text_closed/,
  )
  await expect(sql`delete from published_texts`.execute(db)).rejects.toThrow(/published_text_closed/)
})

test('only administrators publish, with a sign-in of the last minutes', async () => {
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  expect((await publish(portal.nobody)).status).toBe(401)
  expect((await publish(portal.as(ana))).status).toBe(403)
  for (const role of ['support', 'billing', 'readonly'] as const)
    expect((await publish(portal.staff(await makeAdmin(pool, role)))).status).toBe(403)
  const member = await makeMember(pool, 'admin')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(pool.kysely)
  const answer = await browser.ask({
    method: 'POST',
    url: `${url}/-actions/publish`,
    headers: { authorization: `Bearer ${browser.cookies.get('token')}`, 'portico-reason': 'Late' },
    payload: { data: { ...text, version: 'late', from_day: '2026-12-03' } },
  })
  expect(answer.json().errors?.[0].code).toBe('recent_sign_in_required')
})
