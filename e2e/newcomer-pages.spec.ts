import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function expectFine(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what)
  expect(await sideways(page), what).toBeLessThanOrEqual(0)
}

const secondStep = { two_factor: true, challenge: 'some-challenge' }

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the undo of a change', async ({ page }) => {
      await page.goto(`${href('email-change')}#undo=x`)
      await expect(page.getByRole('heading', { level: 1, name: m.email_undo_title() })).toBeVisible()
      await expectFine(page, 'undo of a change')
    })

    test('the form of a registration, empty, wrong and on its way', async ({ page }) => {
      await page.goto(href('create-account'))
      await page.getByRole('button', { name: m.register_title(), exact: true }).click()
      await expect(page.getByText(refusal('terms_not_accepted'))).toBeVisible()
      await expectFine(page, 'faults')
      await page.getByLabel(m.new_password(), { exact: true }).fill('grey lamp 12')
      await expect(page.getByText(m.strength_good())).toBeVisible()
      await expectFine(page, 'strength')
    })

    test('the second step', async ({ page }) => {
      await page.route('**/auth/login', (route) => route.fulfill({ json: secondStep }))
      await page.goto(href('login'))
      await page.getByRole('button', { name: /Ana Marin/ }).click()
      await expect(page.getByLabel(m.code_label())).toBeVisible()
      await expectFine(page, 'app')
      await page.getByRole('button', { name: m.code_use_recovery() }).click()
      await expectFine(page, 'recovery code')
    })

    test('the details of a newcomer, with the countries of numbers open', async ({ page }) => {
      await newcomer(page)
      await page.goto(href('register-details'))
      await page.getByText(m.account_company(), { exact: true }).click()
      await expect(page.getByLabel(m.company_name())).toBeVisible()
      await expectFine(page, 'details')
      await page.getByRole('button', { name: /^Country of the number/ }).click()
      await expect(page.getByRole('option', { name: /^Romania ?\+40/ })).toBeVisible()
      const search = page.getByRole('combobox', { expanded: true })
      await expect(page.locator(`[id="${await search.getAttribute('aria-controls')}"]`)).toHaveRole('listbox')
      await expectFine(page, 'countries')
    })
  })
}
