import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, openTab, signIn, test } from './fixtures.ts'
import { failToPay, payer, testCard, typeCard } from './payer.ts'

/** The height of the whole page, in pixels. */
const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

/** Has paid once, and was refused so often that the payments fill several pages. */
async function payOften(page: Page): Promise<void> {
  const email = await payer(page)
  await page.goto('/payment?amount=20')
  await typeCard(page, testCard.works)
  await page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) }).click()
  await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
  await failToPay(email, 30)
}

for (const [width, most] of [
  [360, 2400],
  [1280, 1500],
] as const) {
  test(`no tab of Billing is longer than ${most} pixels, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await signIn(page)
    await page.goto(href('billing'))
    await expect(page.getByRole('figure', { name: m.runway_chart() })).toBeVisible()
    await expect(page.getByRole('figure', { name: m.use_by_day() })).toBeVisible()
    expect(await heightOf(page), m.billing_overview()).toBeLessThanOrEqual(most)
    await openTab(page, m.billing_methods())
    await expect(page.getByRole('region', { name: m.transfer_ask_title() })).toBeVisible()
    await expect(page.getByRole('list', { name: m.cards_title() })).toBeVisible()
    expect(await heightOf(page), m.billing_methods()).toBeLessThanOrEqual(most)
    await openTab(page, m.invoices_title())
    const invoices = page.getByRole('table', { name: m.invoices_title() })
    await expect(invoices.getByRole('rowheader')).toHaveCount(10)
    expect(await heightOf(page), m.invoices_title()).toBeLessThanOrEqual(most)
    await payOften(page)
    await page.goto(`${href('billing')}?tab=payments`)
    const payments = page.getByRole('table', { name: m.payments_title() })
    await expect(payments.getByRole('rowheader')).toHaveCount(10)
    expect(await heightOf(page), m.payments_title()).toBeLessThanOrEqual(most)
  })
}

test('tabs that do not fit fade at the edge that hides some, and the open one is in view', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page)
  await page.goto(href('billing'))
  const list = page.getByRole('tablist', { name: m.billing_title() })
  /** How far the tabs fade from either edge, in pixels. */
  const fading = () =>
    list.evaluate(({ parentElement: row }) =>
      [...(row?.style.maskImage ?? '').matchAll(/(\d+)px/g)].map(([, pixels]) => Number(pixels)),
    )
  await expect.poll(fading).toEqual([0, 32])
  await openTab(page, m.invoices_title())
  await expect.poll(fading).toEqual([32, 0])
  await expect(page.getByRole('tab', { name: m.invoices_title() })).toBeInViewport({ ratio: 0.99 })
  await page.setViewportSize({ width: 1280, height: 740 })
  await expect.poll(fading).toEqual([])
})

test('the methods offer a bank transfer, and the mandate names the company that charges', async ({
  page,
}) => {
  await payer(page)
  await page.goto('/add-new-card')
  await typeCard(page, testCard.works)
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeVisible()
  await page.goto(`${href('billing')}?tab=methods`)
  const transfer = page.getByRole('region', { name: m.transfer_ask_title() })
  await expect(transfer.getByRole('button', { name: m.transfer_ask() })).toBeDisabled()
  await transfer.getByLabel(m.payment_amount()).fill('1')
  await expect(transfer.getByLabel(m.payment_amount())).toHaveAccessibleDescription(/\$5\.00/)
  await transfer.getByLabel(m.payment_amount()).fill('40')
  const rule = page.getByRole('region', { name: m.auto_title() })
  await rule.getByRole('button', { name: m.auto_set_up() }).click()
  await expect(
    rule.getByText(/^By turning this on, I authorize Carpat Cloud SRL to charge Visa/),
  ).toBeVisible()
  await expectAccessible(page, 'the means of payment')
  await transfer.getByRole('button', { name: m.transfer_ask_one({ amount: '$40.00' }) }).click()
  await expect(page.getByRole('dialog')).toContainText('RO49 AAAA 1B31 0075 9384 0000')
  await expect(page.getByRole('dialog')).toContainText('$48.40')
})
