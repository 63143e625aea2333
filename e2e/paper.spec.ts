import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn, test } from './fixtures.ts'

test.use({ colorScheme: 'dark' })

const html = (page: Page) => page.locator('html')

/** No bar, ribbon, button or field is on the paper, and the content is by day. */
async function expectPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await expect(html(page)).toHaveAttribute('data-mantine-color-scheme', 'light')
  for (const left of [
    page.getByRole('banner'),
    page.getByRole('navigation', { name: m.nav() }),
    page.getByRole('complementary', { name: m.demo_ribbon() }),
    page.getByRole('tablist'),
  ])
    await expect(left).toBeHidden()
  // The heading of a column that can be sorted is a button too.
  for (const pressed of await page.getByRole('main').getByRole('button').all())
    expect(await pressed.evaluate((button) => button.closest('th') !== null)).toBe(true)
  await expect(page.getByRole('main').getByRole('combobox')).toHaveCount(0)
}

test('a chart is printed by day with its table, and is folded and dark on the screen again', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(href('billing'))
  const charts = [m.runway_chart(), m.use_by_day()].map((name) => page.getByRole('figure', { name }))
  for (const chart of charts) await expect(chart.getByRole('slider')).toBeVisible()
  await expect(page.getByRole('complementary', { name: m.demo_ribbon() })).toBeVisible()
  await expect(html(page)).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expectPaper(page)
  for (const chart of charts) {
    await expect(chart.getByRole('slider')).toBeVisible()
    expect(await chart.getByRole('row').count()).toBeGreaterThan(30)
  }
  await page.emulateMedia({ media: 'screen' })
  await expect(html(page)).toHaveAttribute('data-mantine-color-scheme', 'dark')
  for (const chart of charts) await expect(chart.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('banner')).toBeVisible()
})

test('invoices, usage and the billing log are printed without what is pressed', async ({ page }) => {
  await signIn(page)
  for (const [at, table] of [
    [`${href('billing')}?tab=invoices`, m.invoices_title()],
    [href('usages'), m.usage_by_day()],
    [href('billing-log'), m.billing_log_title()],
  ] as const) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(at)
    const rows = page.getByRole('table', { name: table }).getByRole('rowheader')
    await expect(rows.first()).toBeVisible()
    await expect(page.getByRole('complementary', { name: m.demo_ribbon() })).toBeVisible()
    await expectPaper(page)
    await expect(rows.first()).toBeVisible()
  }
})
