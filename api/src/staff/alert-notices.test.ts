import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { render } from '#notifications/letters/render.ts'
import { alertStaff } from '#platform/alerts.ts'
import { makeAccount } from '#test/support/account.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { factsOf, notifyOfAlert } from './alert-notices.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const billing = await makeMember(pool, 'billing')
const admin = await makeMember(pool, 'admin')
const support = await makeMember(pool, 'support')

/** Runs what was left to the queue, as its worker does. */
async function runAlerts(): Promise<void> {
  const { rows } = await sql<{ alert: number }>`select (payload ->> 'alertId')::int8 as alert
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'staff.alert' order by j.id`.execute(db)
  for (const { alert } of rows) await notifyOfAlert({ db, vault: testVault }, alert)
}

const topicsTo = async (email: string) =>
  (await lettersTo(pool, email)).map((letter) => letter.kind === 'staff-alert' && letter.topic)
const bell = async (id: number) =>
  (await portal.staff(id).get(`${base}/notifications`)).list.map(({ attributes }) => attributes?.params)
const alerts = async (id: number, open = 'true') =>
  (await portal.staff(id).get(`${base}/staff-alerts?filter[open]=${open}`)).list

test('an alert is sent once a case: money to billing and administrators, jobs to administrators', async () => {
  await alertStaff(db, 'simulated ref-1', 'unknown_dispute', { ref: 'ref-1' })
  await alertStaff(db, 'simulated ref-1', 'unknown_dispute', { ref: 'ref-1' })
  await alertStaff(db, 'mail.send', 'job_failed', { jobs: 2 })
  await runAlerts()
  await runAlerts()
  expect(await topicsTo(billing.email)).toEqual(['unknown_dispute'])
  expect(await topicsTo(admin.email)).toEqual(['unknown_dispute', 'job_failed'])
  expect(await topicsTo(support.email)).toEqual([])
  expect(await bell(billing.admin)).toEqual([{ topic: 'unknown_dispute', about: 'simulated ref-1' }])
  expect(await bell(admin.admin)).toHaveLength(2)
  // A day later the same case is found again.
  await sql`update staff_alerts set told_at = now() - interval '1 day'`.execute(db)
  expect(await alertStaff(db, 'simulated ref-1', 'unknown_dispute', { ref: 'ref-1' })).toBe(true)
  await runAlerts()
  expect(await topicsTo(billing.email)).toEqual(['unknown_dispute'])
})

test.each([
  [
    'en',
    'A payment is disputed',
    'It is about: payment 7. The customer’s bank has opened a dispute.',
    ['Reference: dp_1', 'Missing: one, two'],
  ],
  [
    'ro',
    'O plată este contestată',
    'Este vorba despre: plata 7. Banca clientului a deschis o contestație.',
    ['Referință: dp_1', 'Lipsesc: one, two'],
  ],
] as const)(
  'a letter says in %s what an alert means, and none of what programs call it',
  (language, subject, said, facts) => {
    const detail = { ref: 'dp_1', sha256: 'c0ffee', currency: null, reasons: ['one', 'two'] }
    const letter = {
      kind: 'staff-alert',
      name: 'Ana',
      topic: 'disputed',
      about: 'payment 7',
      facts: factsOf(detail),
    } as const
    const written = render(letter, language, 'https://portal.example')
    expect(written.subject).toBe(subject)
    expect(written.text).toContain(said)
    for (const fact of facts) expect(written.text).toContain(fact)
    expect(written.text).not.toMatch(/sha256|c0ffee|null|payment_|\bdisputed:/)
    expect([...written.text.matchAll(/https:\S+/g)].map(([url]) => url)).toEqual([
      'https://portal.example/manage-account#staff-notices',
    ])
  },
)

test('staff choose letters or notifications for alerts', async () => {
  const quiet = await makeMember(pool, 'admin')
  const patched = await portal.staff(quiet.admin).patch(`${base}/staff-preferences/${quiet.admin}`, {
    data: { type: 'staff-preferences', id: String(quiet.admin), attributes: { alert_news_by: ['portal'] } },
  })
  expect(patched.status).toBe(200)
  await alertStaff(db, 'simulated ref-2', 'unknown_payment', {})
  await runAlerts()
  expect([await topicsTo(quiet.email), await bell(quiet.admin)]).toEqual([
    [],
    [{ topic: 'unknown_payment', about: 'simulated ref-2' }],
  ])
})

test('staff in charge resolve an alert with a reason, once; no others see it', async () => {
  await alertStaff(db, 'gpu_hours, own', 'usage_unpriced', { meter: 'gpu_hours' })
  const [alert] = (await alerts(billing.admin)).filter(
    ({ attributes }) => attributes?.kind === 'usage_unpriced',
  )
  const url = `${base}/staff-alerts/${alert?.id}`
  const resolve = `${url}/-actions/resolve`
  const ana = await makeAccount(pool, { projects: 0, panels: 0 })
  for (const visitor of [portal.staff(support.admin), portal.as(ana)]) {
    expect((await visitor.get(url)).status).toBe(404)
    expect((await visitor.post(resolve, { data: { reason: 'None of mine' } })).status).toBe(404)
  }
  const me = portal.staff(billing.admin)
  expect((await me.post(resolve, { data: { reason: ' ' } })).status).toBe(422)
  expect((await me.post(resolve, { data: { reason: 'A price was added' } })).status).toBe(200)
  expect((await me.post(resolve, { data: { reason: 'Again' } })).status).toBe(409)
  expect((await me.get(url)).one.attributes).toMatchObject({
    resolution: 'A price was added',
    detail: { meter: 'gpu_hours' },
  })
  expect((await alerts(billing.admin)).map(({ id }) => id)).not.toContain(alert?.id)
  // Alerts about the machine are not for staff who see money.
  expect((await alerts(billing.admin)).map(({ attributes }) => attributes?.kind)).not.toContain('job_failed')
  // The same again is a new case.
  await alertStaff(db, 'gpu_hours, own', 'usage_unpriced', { meter: 'gpu_hours' })
  await runAlerts()
  expect((await topicsTo(admin.email)).filter((topic) => topic === 'usage_unpriced')).toHaveLength(1)
})
