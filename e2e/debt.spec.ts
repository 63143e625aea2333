import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { dayInWords, profileOf, sum } from './money.ts'

const ioana = 'ioana@demo.test'

/** The card of the debt: what is owed with VAT, what paying prevents, and what the balance is afterwards. */
async function expectDebtCard(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: m.debt_title() })
  const amount = card.getByLabel(m.payment_amount())
  await expect(amount).toHaveValue(/^\d+\.\d\d$/)
  const owed = Number(await amount.inputValue())
  const { available, account_balance, credit_balance, banner, as_of } = await profileOf(page)
  // More usage may have come since the page read the account.
  expect(owed).toBeGreaterThan(-sum(account_balance, credit_balance))
  expect(owed).toBeLessThanOrEqual(Math.ceil(-available * 100) / 100)
  expect((banner.suspend_on ?? '') > as_of).toBe(true)
  await expect(card).toContainText(m.debt_prevents({ date: dayInWords(banner.suspend_on ?? '') }))
  await expect(card).toContainText(/VAT/)
  await expect(card).toContainText(/Balance after this payment: -?€0\.[01]\d/)
  const transfer = page.getByRole('region', { name: m.transfer_ask_title() })
  await expect(transfer.getByRole('button', { name: m.transfer_ask_owed() })).toBeEnabled()
  // The amount is all that is owed: another button would ask for the same.
  await expect(transfer.getByRole('button')).toHaveCount(1)
}

test('in debt, the banner, Billing and the usage lead to one card with the debt filled in', async ({
  page,
}) => {
  await signIn(page, ioana)
  await page.goto('/')
  const notices = page.getByRole('complementary', { name: m.account_notices() })
  await notices.getByRole('link', { name: m.pay_now() }).click()
  await expect(page).toHaveURL('/payment')
  await expectDebtCard(page)
  await page.goto(href('billing'))
  await page.getByRole('main').getByRole('link', { name: m.payment_title() }).click()
  await expectDebtCard(page)
  await page.goto(href('usages'))
  await page.getByRole('link', { name: m.usage_pay(), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.pay_title() })).toBeVisible()
  await expectDebtCard(page)
})

test('another amount says what the balance is afterwards, and the whole debt is one click', async ({
  page,
}) => {
  await signIn(page, ioana)
  await page.goto(`${href('payment')}?amount=50`)
  const card = page.getByRole('region', { name: m.debt_title() })
  await expect(card).toContainText(/Balance after this payment: €4\d\.\d\d/)
  await card.getByRole('button', { name: /^All you owe: €\d/ }).click()
  await expect(card).toContainText(/Balance after this payment: -?€0\.[01]\d/)
})

test('usage has no button to pay while nothing is due', async ({ page }) => {
  await signIn(page)
  await page.goto(href('usages'))
  await expect(page.getByRole('figure').first()).toBeVisible()
  await expect(page.getByRole('link', { name: m.usage_pay(), exact: true })).toHaveCount(0)
})

for (const look of looks) {
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('the card of a debt breaks no rule of accessibility and fits the page', async ({ page }) => {
      await signIn(page, ioana)
      await page.goto(href('payment'))
      await expectDebtCard(page)
      await expectAccessible(page, 'debt')
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(sideways).toBeLessThanOrEqual(0)
    })
  })
}
