import fs from 'node:fs'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { alertStaff } from '#platform/alerts.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { notifyOfAlert, notifyOfMissedAlerts } from './alert-notices.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const parts = { db, vault: testVault }

async function raise(about: string, kind: string): Promise<void> {
  await alertStaff(db, about, kind, {})
  const { id } = await db
    .selectFrom('staff_alerts')
    .select('id')
    .where('about', '=', about)
    .executeTakeFirstOrThrow()
  await notifyOfAlert(parts, id)
}

test('alerts from before the first member of staff reach them once', async () => {
  await raise('EUR', 'exchange_rate_missing')
  await raise('mail.send', 'job_failed')
  await raise('USD', 'exchange_rate_missing')
  await sql`update staff_alerts set resolved_at = now() where about = 'USD'`.execute(db)
  const billing = await makeMember(pool, 'billing', { totpRequired: true })
  await makeMember(pool, 'support')
  const letters = async () =>
    (await lettersTo(pool, billing.email)).map((letter) => letter.kind === 'staff-alert' && letter.about)
  const bell = async () =>
    (await portal.staff(billing.admin).get(`${base}/notifications`)).list.map(
      ({ attributes }) => attributes?.params,
    )
  await notifyOfMissedAlerts(parts)
  expect([await letters(), await bell()]).toEqual([[], []])
  await sql`insert into auth_totp (account_id, secret_sealed, enabled_at)
    select auth_id, '\\x00', now() from admins where id = ${billing.admin}`.execute(db)
  await notifyOfMissedAlerts(parts)
  await notifyOfMissedAlerts(parts)
  // Alerts about the machine still wait for an administrator; resolved ones are not sent.
  expect(await letters()).toEqual(['EUR'])
  expect(await bell()).toEqual([{ topic: 'exchange_rate_missing', about: 'EUR' }])
  const admin = await makeMember(pool, 'admin')
  await notifyOfMissedAlerts(parts)
  expect((await lettersTo(pool, admin.email)).map(({ kind }) => kind)).toEqual(['staff-alert'])
  expect((await portal.staff(admin.admin).get(`${base}/notifications`)).list[0]?.attributes?.params).toEqual({
    topic: 'job_failed',
    about: 'mail.send',
  })
})

test('an undelivered alert is sent again to staff, and a delivered one is not', async () => {
  const member = await makeMember(pool, 'billing')
  await raise('GBP', 'exchange_rate_missing')
  for (const about of ['CHF', 'NOK']) await alertStaff(db, about, 'exchange_rate_missing', {})
  await sql`update staff_alerts set notified_at = now() where about in ('CHF', 'NOK')`.execute(db)
  await sql`update staff_alerts set resolved_at = now() where about = 'NOK'`.execute(db)
  const about = async () =>
    (await lettersTo(pool, member.email)).map((letter) => letter.kind === 'staff-alert' && letter.about)
  await notifyOfMissedAlerts(parts)
  expect(await about()).toEqual(['GBP'])
  const file = new URL('../platform/db/migrations/0042-unheard-alerts.sql', import.meta.url)
  await sql.raw(fs.readFileSync(file, 'utf8')).execute(db)
  await notifyOfMissedAlerts(parts)
  expect((await about()).toSorted()).toEqual(['CHF', 'GBP'])
})
