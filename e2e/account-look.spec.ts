import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { section, turnTo } from './account-page.ts'
import { expectAccessible } from './axe.ts'
import { letSignInAge } from './database.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'

async function arrive(page: Page): Promise<void> {
  await page.goto(`${href('manage-account')}#security-log`)
  for (const name of [m.account_log(), m.account_sessions()])
    await expect(section(page, name).getByRole('listitem').first()).toBeVisible()
}

/** Presses a button of a section, looks at what opens over the page, and closes it. */
async function lookAtDialog(page: Page, name: string, button: string): Promise<void> {
  await section(page, name).getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  // A large page takes seconds to look at, and what lies under a dialog was looked at already.
  await expectAccessible(page, button, '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the account page breaks no rule of accessibility, with every part opened', async ({ page }) => {
      test.setTimeout(180_000)
      const email = await newcomer(page)
      await arrive(page)
      for (const name of [m.account_log(), m.account_personal(), m.account_copy()]) {
        await turnTo(page, name)
        await expectAccessible(page, name)
        expect(await sideways(page), name).toBeLessThanOrEqual(0)
      }

      await turnTo(page, m.account_billing())
      const billing = section(page, m.account_billing())
      await billing.getByText(m.account_company()).click()
      await billing.getByRole('button', { name: m.save() }).click()
      await expect(billing.getByLabel(m.company_name())).toBeFocused()
      const emails = section(page, m.account_billing_emails())
      const addresses = emails.getByRole('textbox', { name: m.billing_emails_label() })
      await addresses.pressSequentially('a-rather-long-address-of-the-bookkeeping@example.com,nonsense,')
      await emails.getByRole('button', { name: m.save() }).click()
      await expect(emails.getByText(refusal('emails_invalid'))).toBeVisible()
      await expectAccessible(page, 'billing, with faults')
      expect(await sideways(page), 'billing, with faults').toBeLessThanOrEqual(0)
      await turnTo(page, m.account_email())
      await section(page, m.account_email()).getByRole('button', { name: m.email_change() }).click()
      await section(page, m.password()).getByRole('button', { name: m.password_change() }).click()
      const twoFactor = section(page, m.account_two_factor())
      await twoFactor.getByRole('button', { name: m.two_factor_set_up() }).click()
      await expect(twoFactor.getByRole('img')).toBeVisible()
      await expectAccessible(page, 'with faults, setting up the second step')
      expect(await sideways(page), 'with faults, setting up the second step').toBeLessThanOrEqual(0)
      const shown = await twoFactor.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()
      const code = generateSync({ secret: shown?.replaceAll(' ', '') ?? '' })
      await twoFactor.getByLabel(m.code_label()).fill(code)
      await twoFactor.getByRole('button', { name: m.two_factor_turn_on() }).click()
      await expect(twoFactor.getByRole('heading', { name: m.recovery_codes_title() })).toBeVisible()
      await expectAccessible(page, 'recovery codes')
      expect(await sideways(page), 'recovery codes').toBeLessThanOrEqual(0)
      await twoFactor.getByRole('button', { name: m.recovery_codes_kept() }).click()

      await lookAtDialog(page, m.account_two_factor(), m.two_factor_turn_off())
      await lookAtDialog(page, m.account_passkeys(), m.passkey_add())
      await letSignInAge(email)
      await section(page, m.account_email()).getByLabel(m.email_new()).fill(`other-${email}`)
      await lookAtDialog(page, m.account_email(), m.email_change())
    })
  })
}

test('at a zoom of 400 %, which leaves 320 pixels, everything is still there', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 400 })
  await newcomer(page)
  await arrive(page)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  await turnTo(page, m.account_passkeys())
  await expect(page.getByRole('heading', { name: m.account_passkeys() })).toBeInViewport()
})

test('the Tab key leads to nothing that is hidden beneath what stays on top', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await newcomer(page)
  await arrive(page)
  await turnTo(page, m.account_billing_emails())
  await section(page, m.account_billing_emails()).getByRole('textbox').focus()
  for (let press = 0; press < 14; press++) {
    await page.keyboard.press('Shift+Tab')
    const covered = await page.evaluate(() => {
      const focused = document.activeElement
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
      const seen = document.elementFromPoint(left + width / 2, top + height / 2)
      // A choice is pressed by its label, which lies over it.
      const isOwn = seen === focused || focused?.contains(seen) || seen?.closest('[role=radiogroup]')
      return isOwn ? '' : `${focused?.outerHTML} beneath ${seen?.outerHTML}`.slice(0, 400)
    })
    expect(covered, `after ${press + 1}`).toBe('')
  }
})

test('the page is worked by keyboard alone', async ({ page }) => {
  await newcomer(page)
  await arrive(page)
  await page.getByRole('navigation').getByRole('link', { name: m.account_personal() }).focus()
  await page.keyboard.press('Enter')
  await expect(section(page, m.account_personal()).getByRole('heading')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel(m.first_name())).toBeFocused()
  await page.keyboard.type('Sanda')
  await page.keyboard.press('Enter')
  await expect(page.getByText(m.personal_saved())).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account menu of Sanda Ionescu' })).toBeVisible()
  const language = section(page, m.account_preferences()).getByRole('radio', { name: 'English' })
  await language.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { level: 1, name: 'Contul meu' })).toBeVisible()
})
