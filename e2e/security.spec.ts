import type { Browser, Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { section, turnTo } from './account-page.ts'
import { addAuthenticator, codeBefore, codeOf } from './authenticator.ts'
import { inDatabase, letSignInAge } from './database.ts'
import { expect, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { newcomer, ownPassword, signInAs } from './newcomer.ts'
import { refusal } from './refusal.ts'

async function open(page: Page, hash = ''): Promise<void> {
  await page.goto(`${href('manage-account')}${hash}`)
  await expect(page.getByRole('heading', { level: 1, name: m.manage_account_title() })).toBeVisible()
}

/** The same person in another browser, on the dashboard. */
async function elsewhere(browser: Browser, email: string): Promise<Page> {
  const page = await browser.newPage({ baseURL: process.env.PORTAL_URL ?? '' })
  await signInAs(page, email)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  return page
}

async function changePassword(page: Page, current: string, chosen: string, again = chosen): Promise<void> {
  const form = section(page, m.password())
  await form.getByLabel(m.password_current()).fill(current)
  await form.getByLabel(m.password_new(), { exact: true }).fill(chosen)
  await form.getByLabel(m.retype_password()).fill(again)
  await form.getByRole('button', { name: m.password_change() }).click()
}

test('changing the password ends the other browser’s session and not this one', async ({ page, browser }) => {
  const email = await newcomer(page)
  const other = await elsewhere(browser, email)
  await open(other)
  await open(page, '#password')
  const form = section(page, m.password())
  await changePassword(page, 'not the one it is', 'a tall green lighthouse', 'another lighthouse')
  await expect(form.getByLabel(m.retype_password())).toHaveAccessibleDescription(m.fault_retype())
  await form.getByLabel(m.retype_password()).fill('a tall green lighthouse')
  await form.getByLabel(m.retype_password()).press('Enter')
  await expect(form.getByLabel(m.password_current())).toHaveAccessibleDescription(
    refusal('current_password_wrong'),
  )
  await expect(form.getByLabel(m.password_current())).toBeFocused()
  await changePassword(page, ownPassword, 'password123')
  await expect(form.getByText(refusal('password_common'))).toBeVisible()
  await changePassword(page, ownPassword, 'a tall green lighthouse')
  await expect(page.getByText(m.password_changed_text())).toBeVisible()
  await expect(form.getByLabel(m.password_current())).toHaveValue('')
  await other.getByLabel(m.last_name()).fill('Mine no more')
  await other.getByLabel(m.last_name()).press('Enter')
  await expect(other).toHaveURL(/\/login/)
  await turnTo(page, m.account_log())
  await expect(section(page, m.account_log()).getByText(m.event_password_changed())).toBeVisible()
  await signInAs(other, email, 'a tall green lighthouse')
  await other.close()
})

test('a session that is ended from another place goes to sign-in at its next request, and comes back', async ({
  page,
  browser,
}) => {
  const email = await newcomer(page)
  const other = await elsewhere(browser, email)
  await open(other)
  await open(page, '#sessions')
  const sessions = section(page, m.account_sessions())
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText(m.session_this())
  await sessions
    .getByRole('button', { name: /^Sign out / })
    .first()
    .click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText(/was signed out$/)).toBeVisible()
  await expect(sessions.getByRole('heading')).toBeFocused()
  await other.getByLabel(m.last_name()).fill('Too late')
  await other.getByLabel(m.last_name()).press('Enter')
  await expect(other).toHaveURL(`${href('login')}?next=${encodeURIComponent(href('manage-account'))}`)
  expect((await other.context().cookies()).map(({ name }) => name)).not.toContain('token')
  await other.getByLabel(m.email(), { exact: true }).fill(email)
  await other.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await other.getByRole('button', { name: m.login_email() }).click()
  // The draft ended with the session, because the next person may be another.
  await expect(other.getByLabel(m.last_name())).toHaveValue('Ionescu')
  await other.close()
})

test('all other sessions are ended at once, after a confirmation', async ({ page, browser }) => {
  const email = await newcomer(page)
  const others = [await elsewhere(browser, email), await elsewhere(browser, email)]
  await open(page, '#sessions')
  const sessions = section(page, m.account_sessions())
  const all = sessions.getByRole('button', { name: m.sessions_revoke() })
  await all.click()
  const dialog = page.getByRole('dialog', { name: m.sessions_revoke_title() })
  await dialog.getByRole('button', { name: m.cancel() }).click()
  await expect(all).toBeFocused()
  await all.click()
  await dialog.getByRole('button', { name: m.sessions_revoke() }).click()
  await expect(page.getByText(m.sessions_revoked({ count: 2 }))).toBeVisible()
  await expect(all).toHaveCount(0)
  for (const other of others) {
    await other.reload()
    await expect(other).toHaveURL(/\/login/)
    await other.close()
  }
})

/** Turns the second step on, as a person does, and answers the secret and the recovery codes that were shown. */
async function turnOn(page: Page): Promise<{ secret: string; codes: string[] }> {
  const twoFactor = section(page, m.account_two_factor())
  await twoFactor.getByRole('button', { name: m.two_factor_set_up() }).click()
  await expect(twoFactor.getByRole('img', { name: m.two_factor_qr() })).toBeVisible()
  const shown = await twoFactor.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()
  const secret = shown?.replaceAll(' ', '') ?? ''
  await twoFactor.getByLabel(m.code_label()).fill('000000')
  await twoFactor.getByRole('button', { name: m.two_factor_turn_on() }).click()
  await expect(twoFactor.getByLabel(m.code_label())).toHaveAccessibleDescription(m.code_refused())
  await twoFactor.getByLabel(m.code_label()).fill(await codeBefore(secret))
  await twoFactor.getByRole('button', { name: m.two_factor_turn_on() }).click()
  await expect(twoFactor.getByRole('heading', { name: m.recovery_codes_title() })).toBeFocused()
  const list = twoFactor.getByRole('list', { name: m.recovery_codes_title() })
  const codes = await list.getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  return { secret, codes }
}

test('two-factor authentication is turned on, asked for, recovered from and turned off', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const email = await newcomer(page)
  await open(page, '#two-factor')
  const twoFactor = section(page, m.account_two_factor())
  const { secret, codes } = await turnOn(page)
  // A code in two lines reads as two.
  for (const code of codes)
    expect((await twoFactor.getByText(code).boundingBox())?.height).toBeLessThanOrEqual(24)
  await twoFactor.getByRole('button', { name: m.copy() }).click()
  await expect(twoFactor.getByRole('status')).toHaveText(m.copied())
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  const download = page.waitForEvent('download')
  await twoFactor.getByRole('link', { name: m.download() }).click()
  expect((await download).suggestedFilename()).toBe('portico-recovery-codes.txt')
  // Leaving the page asks first, unless the person has confirmed that the codes are saved.
  await page.getByRole('link', { name: m.logo() }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.leave_not() }).click()
  await twoFactor.getByRole('button', { name: m.recovery_codes_kept() }).click()
  await expect(twoFactor.getByText(m.state_on(), { exact: true })).toBeVisible()
  await expect(twoFactor.getByText(m.recovery_codes_left({ count: 10 }))).toBeVisible()

  for (const answer of [codeOf(secret), codes[0] ?? '']) {
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: m.sign_out() }).click()
    await expect(page).toHaveURL('/login')
    await page.getByLabel(m.email(), { exact: true }).fill(email)
    await page.getByLabel(m.password(), { exact: true }).fill(ownPassword)
    await page.getByRole('button', { name: m.login_email() }).click()
    if (answer.length > 6) await page.getByRole('button', { name: m.code_use_recovery() }).click()
    const field = answer.length > 6 ? m.code_recovery_label() : m.code_label()
    await page.getByLabel(field).fill(answer)
    if (answer.length > 6) await page.getByLabel(field).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  }

  await open(page, '#two-factor')
  await expect(twoFactor.getByText(m.recovery_codes_left({ count: 9 }))).toBeVisible()
  await twoFactor.getByRole('button', { name: m.two_factor_turn_off() }).click()
  const dialog = page.getByRole('dialog', { name: m.two_factor_turn_off() })
  await expect(dialog.getByLabel(m.code())).toBeFocused()
  await dialog.getByLabel(m.code()).fill('000000')
  await dialog.getByRole('button', { name: m.two_factor_turn_off() }).click()
  await expect(dialog.getByText(m.code_refused())).toBeVisible()
  await dialog.getByLabel(m.code()).fill(codes[1] ?? '')
  await dialog.getByRole('button', { name: m.two_factor_turn_off() }).click()
  await expect(dialog).toBeHidden()
  await expect(twoFactor.getByText(m.state_off(), { exact: true })).toBeVisible()
  await turnTo(page, m.account_log())
  const log = section(page, m.account_log())
  for (const said of [
    m.event_two_factor_enabled(),
    m.event_recovery_code_used(),
    m.event_two_factor_disabled(),
  ])
    await expect(log.getByText(said).first()).toBeVisible()
})

test('a passkey is added by a name, signs in, is renamed and removed', async ({ page }) => {
  await addAuthenticator(page)
  await newcomer(page)
  await open(page, '#passkeys')
  const passkeys = section(page, m.account_passkeys())
  await passkeys.getByRole('button', { name: m.passkey_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: m.passkey_continue() }).click()
  await expect(dialog.getByLabel(m.passkey_name())).toHaveAccessibleDescription(refusal('name_required'))
  await dialog.getByLabel(m.passkey_name()).fill('Laptop')
  await dialog.getByRole('button', { name: m.passkey_continue() }).click()
  await expect(passkeys.getByRole('listitem')).toContainText('Laptop')
  await expect(dialog).toBeHidden()
  await passkeys.getByRole('button', { name: m.rename_one({ name: 'Laptop' }) }).click()
  await dialog.getByLabel(m.passkey_name()).fill('Old laptop')
  await dialog.getByLabel(m.passkey_name()).press('Enter')
  await expect(passkeys.getByRole('listitem')).toContainText('Old laptop')

  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: m.sign_out() }).click()
  await page.getByRole('button', { name: m.passkey_sign_in() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()

  await open(page, '#passkeys')
  await passkeys.getByRole('button', { name: m.remove_one({ name: 'Old laptop' }) }).click()
  await dialog.getByRole('button', { name: m.remove() }).click()
  await expect(passkeys.getByText(m.passkeys_none())).toBeVisible()
  await expect(passkeys.getByRole('heading')).toBeFocused()
})

test('a browser without passkeys says so', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await newcomer(page)
  await open(page, '#passkeys')
  const add = section(page, m.account_passkeys()).getByRole('button', { name: m.passkey_add() })
  await expect(add).toBeDisabled()
  await expect(add).toHaveAccessibleDescription(m.passkeys_unable())
})

test('another address waits until the link that was sent there is followed', async ({ page }) => {
  const former = await newcomer(page)
  const wanted = former.replace('new-', 'newer-')
  await open(page, '#email')
  const section_ = section(page, m.account_email())
  await expect(section_.getByText(former)).toBeVisible()
  await section_.getByRole('button', { name: m.email_change() }).click()
  const field = section_.getByLabel(m.email_new())
  await expect(field).toBeFocused()
  await field.fill(former)
  await field.press('Enter')
  await expect(section_.getByText(refusal('email_unchanged'))).toBeVisible()
  await field.fill(wanted)
  await field.press('Enter')
  await expect(section_.getByText(m.email_pending())).toBeVisible()
  await expect(section_.getByText(wanted)).toBeVisible()
  const link = linkOf(await lastLetter(page.request, wanted))
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: m.email_changed() })).toBeVisible()
  await open(page, '#email')
  await expect(section_.getByText(wanted)).toBeVisible()
  await expect(section_.getByText(m.email_pending())).toHaveCount(0)
})

test('a client with Google alone keeps that sign-in method, and the page says why', async ({ page }) => {
  const email = await newcomer(page)
  await inDatabase(
    `insert into auth_identities (issuer, subject, account_id, email, created_at)
     select 'https://accounts.google.com', $1, id, $1, now() from auth_accounts where email = $1`,
    email,
  )
  await open(page, '#sign-ins')
  const signIns = section(page, m.account_sign_ins())
  await expect(signIns.getByRole('listitem')).toContainText(email)
  const unlink = signIns.getByRole('button', { name: m.google_unlink() })
  await inDatabase('update auth_accounts set password_hash = null where email = $1', email)
  await page.reload()
  await expect(unlink).toBeDisabled()
  await expect(unlink).toHaveAccessibleDescription(m.google_last())
  const form = section(page, m.password())
  await expect(form.getByLabel(m.password_current())).toHaveCount(0)
  await form.getByLabel(m.password_new(), { exact: true }).fill(ownPassword)
  await form.getByLabel(m.retype_password()).fill(ownPassword)
  await form.getByRole('button', { name: m.password_set() }).click()
  await expect(form.getByLabel(m.password_current())).toBeVisible()
  await unlink.click()
  await page.getByRole('dialog').getByRole('button', { name: m.google_unlink() }).click()
  await expect(signIns.getByRole('listitem')).toHaveCount(0)
})

test('the security log shows older entries when they are asked for', async ({ page }) => {
  const email = await newcomer(page)
  await inDatabase(
    `insert into auth_events (account_id, kind, at, ip, user_agent)
     select id, 'sign-in-failed', now() - n * interval '1 hour', '192.0.2.7', null
     from auth_accounts, generate_series(1, 70) n where email = $1`,
    email,
  )
  await open(page, '#security-log')
  const log = section(page, m.account_log())
  const older = log.getByRole('button', { name: m.show_older() })
  await expect(log.getByText(m.event_sign_in_failed()).first()).toBeVisible()
  const before = await log.getByRole('listitem').count()
  await older.click()
  await expect.poll(() => log.getByRole('listitem').count()).toBeGreaterThan(before)
  await expect(log.getByText('Unknown device · 192.0.2.7').first()).toBeVisible()
})

test.describe('changes of sign-in methods ask for a recent sign-in:', () => {
  test('by password; the input is kept, and the change is made automatically', async ({ page }) => {
    const email = await newcomer(page)
    await open(page, '#email')
    const section_ = section(page, m.account_email())
    await section_.getByRole('button', { name: m.email_change() }).click()
    await section_.getByLabel(m.email_new()).fill(`later-${email}`)
    await letSignInAge(email)
    await section_.getByRole('button', { name: m.email_change() }).click()
    const check = page.getByRole('dialog', { name: m.identity_check_title() })
    await expect(check.getByLabel(m.password(), { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(section_.getByText(m.identity_check_declined())).toBeVisible()
    await expect(section_.getByLabel(m.email_new())).toHaveValue(`later-${email}`)
    await section_.getByRole('button', { name: m.email_change() }).click()
    await check.getByLabel(m.password(), { exact: true }).fill('not the one it is')
    await check.getByRole('button', { name: m.confirm() }).click()
    await expect(check.getByText(m.password_refused())).toBeVisible()
    await check.getByLabel(m.password(), { exact: true }).fill(ownPassword)
    await page.keyboard.press('Enter')
    await expect(check).toBeHidden()
    await expect(section_.getByText(m.email_pending())).toBeVisible()
    await expect(section_.getByText(`later-${email}`)).toBeVisible()
  })

  test('by password and the second step', async ({ page }) => {
    const email = await newcomer(page)
    await open(page, '#two-factor')
    const twoFactor = section(page, m.account_two_factor())
    const { secret, codes } = await turnOn(page)
    await twoFactor.getByRole('button', { name: m.recovery_codes_kept() }).click()
    await letSignInAge(email)
    await twoFactor.getByRole('button', { name: m.recovery_codes_renew() }).click()
    const dialog = page.getByRole('dialog', { name: m.recovery_codes_renew() })
    await dialog.getByLabel(m.code()).fill(codes[0] ?? '')
    await dialog.getByLabel(m.code()).press('Enter')
    const check = page.getByRole('dialog', { name: m.identity_check_title() })
    await check.getByLabel(m.password(), { exact: true }).fill(ownPassword)
    await page.keyboard.press('Enter')
    await expect(check.getByLabel(m.code())).toBeFocused()
    await check.getByLabel(m.code()).fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await expect(twoFactor.getByRole('heading', { name: m.recovery_codes_title() })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const fresh = await twoFactor.getByRole('listitem').allTextContents()
    expect(fresh).not.toContain(codes[1])
  })

  test('by Google, for a person without a password, and returns to the page', async ({ page }) => {
    const email = await newcomer(page)
    await inDatabase('update auth_accounts set password_hash = null where email = $1', email)
    await letSignInAge(email)
    await open(page, '#two-factor')
    const setUp = section(page, m.account_two_factor()).getByRole('button', { name: m.two_factor_set_up() })
    await setUp.click()
    const check = page.getByRole('dialog', { name: m.identity_check_title() })
    await expect(check.getByLabel(m.password(), { exact: true })).toHaveCount(0)
    await page.route('**/auth/google', (route) => route.fulfill({ body: 'Google' }))
    await check.getByRole('button', { name: m.confirm_google() }).click()
    await expect(page).toHaveURL(/\/auth\/google$/)
    expect(await page.evaluate(() => sessionStorage.getItem('next'))).toBe(
      `${href('manage-account')}#two-factor`,
    )
  })

  test('by passkey', async ({ page }) => {
    await addAuthenticator(page)
    const email = await newcomer(page)
    await open(page, '#passkeys')
    const passkeys = section(page, m.account_passkeys())
    const add = async (name: string) => {
      await passkeys.getByRole('button', { name: m.passkey_add() }).click()
      await page.getByLabel(m.passkey_name()).fill(name)
      await page.getByRole('button', { name: m.passkey_continue() }).click()
    }
    await add('Laptop')
    await expect(passkeys.getByRole('listitem')).toHaveCount(1)
    await letSignInAge(email)
    await passkeys.getByRole('button', { name: m.rename_one({ name: 'Laptop' }) }).click()
    await page.getByLabel(m.passkey_name()).fill('Renamed')
    await page.getByLabel(m.passkey_name()).press('Enter')
    const check = page.getByRole('dialog', { name: m.identity_check_title() })
    await check.getByRole('button', { name: m.confirm_passkey() }).click()
    await expect(passkeys.getByRole('listitem')).toContainText('Renamed')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
