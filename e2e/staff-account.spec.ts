import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { turnTo } from './account-page.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { newcomer, ownPassword } from './newcomer.ts'
import { inRomanian } from './romanian.ts'

/** A new member of staff; their rights begin with a second factor. */
async function newMember(page: Page, secondFactor: boolean): Promise<string> {
  const email = await newcomer(page)
  await inDatabase(
    `insert into admins (email, display_name, role, auth_id, totp_required)
     select email, 'Newcomer', 'readonly', id, $2 from auth_accounts where email = $1`,
    email,
    secondFactor,
  )
  return email
}

test('staff are led to their second factor, and work once it is on', async ({ page }) => {
  await newMember(page, true)
  await page.goto(href('tickets'))
  await expect(page).toHaveURL(/manage-account#two-factor$/)
  const notices = page.getByRole('complementary', { name: m.account_notices() })
  await expect(notices).toContainText('Turn on two-factor authentication or add a passkey to work as staff.')
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('button', { name: m.notifications() })).toHaveCount(0)
  await expect(bar.getByRole('button', { name: m.share_access() })).toHaveCount(0)
  await expect(page.getByRole('region', { name: m.account_personal() })).toHaveCount(0)
  const form = page.getByRole('region', { name: m.account_two_factor(), exact: true })
  await form.getByRole('button', { name: m.two_factor_set_up() }).click()
  const shown = await form.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()
  const secret = shown?.replaceAll(' ', '') ?? ''
  await form.getByLabel(m.code_label()).fill(generateSync({ secret }))
  await form.getByRole('button', { name: m.two_factor_turn_on() }).click()
  await expect(form.getByRole('heading', { name: m.recovery_codes_title() })).toBeVisible()
  await form.getByRole('button', { name: m.recovery_codes_kept() }).click()
  await expect(notices).toHaveCount(0)
  await expect(bar.getByRole('button', { name: m.notifications() })).toBeVisible()
  await page.goto(href('tickets'))
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
})

test('staff name themselves', async ({ page }) => {
  await newMember(page, false)
  await page.goto(href('manage-account'))
  const form = page.getByRole('region', { name: m.account_personal() })
  await form.getByLabel(m.staff_name()).fill('Dana of Acme')
  await form.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.personal_saved())).toBeVisible()
  await page.reload()
  await expect(form.getByLabel(m.staff_name())).toHaveValue('Dana of Acme')
  await expectAccessible(page, 'the name of staff', 'main')
})

test('the language that staff choose is saved, and no forbidden request is made', async ({
  page,
  browser,
}) => {
  const email = await newMember(page, false)
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const arrived = page.waitForResponse((answer) => answer.url().includes('/api/user/security-log'))
  await page.goto(`${href('manage-account')}#security-log`)
  await arrived
  await turnTo(page, m.account_preferences())
  expect(asked.filter((path) => /exports|closing|client-entities/.test(path))).toEqual([])
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page
    .getByRole('region', { name: m.account_preferences() })
    .getByText('Română', { exact: true })
    .click()
  expect((await saved).ok()).toBe(true)
  const other = await browser.newPage({ baseURL: process.env.PORTAL_URL ?? '' })
  await other.goto(href('login'))
  await other.getByLabel(m.email(), { exact: true }).fill(email)
  await other.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await other.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(other.getByRole('heading', { level: 1, name: inRomanian(m.desk_home_title) })).toBeVisible()
  await other.close()
})

for (const [language, words, said] of [
  ['en', (text: () => string) => text(), 'A payment is disputed: payment 7'],
  ['ro', inRomanian, 'O plată este contestată: plata 7'],
] as const)
  test(`an alert stands in words in the bell, leads nowhere, and is read there, in ${language}`, async ({
    page,
    baseURL,
  }) => {
    const email = await newcomer(page)
    await inDatabase(
      `insert into notifications (client_id, kind, about_id, params)
       select id, 'staff_alert', 1, '{"topic": "disputed", "about": "payment 7"}' from clients where email = $1`,
      email,
    )
    await page.context().addCookies([{ name: 'lang', value: language, url: baseURL ?? '' }])
    await page.goto(href('tickets', {}))
    await page
      .getByRole('banner')
      .getByRole('button', { name: words(m.notifications) })
      .click()
    const alert = page.getByRole('dialog').getByRole('listitem').filter({ hasText: said })
    await expect(alert).toContainText(words(m.notification_new))
    await expect(alert.getByRole('link')).toHaveCount(0)
    await expectAccessible(page, 'an alert in the bell', '[role=dialog]')
    await alert.getByRole('button', { name: words(m.notification_read) }).press('Enter')
    await expect(alert).not.toContainText(words(m.notification_new))
    await expect(alert.getByRole('button')).toHaveCount(0)
  })
