import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

const chartOf = async (page: Page, email?: string) => {
  await signIn(page, email)
  await page.goto(href('billing'))
  const chart = page.getByRole('figure', { name: m.runway_chart() })
  await expect(chart).toBeVisible()
  return chart
}

const amountOf = (text: string) => Number(text.replace(/^.*: /, '').replace(/[^\d.-]/g, ''))

test('the balance is read day by day in the past and as expected, also as a table', async ({ page }) => {
  const chart = await chartOf(page, 'hans@demo.test')
  const line = chart.getByRole('slider')
  await line.press('End')
  await expect(line).toHaveAttribute('aria-valuetext', /, expected: -?\S\d/)
  await line.press('Home')
  await expect(line).not.toHaveAttribute('aria-valuetext', /expected/)
  await chart.getByText(m.chart_table()).click()
  const rows = chart.getByRole('table').getByRole('row')
  await expect(rows.last()).toContainText('expected')
  // The days of the future, and at least today and the heading.
  expect(await rows.count()).toBeGreaterThan(31)
})

test('an amount that is tried out moves the line', async ({ page }) => {
  const chart = await chartOf(page, 'hans@demo.test')
  const line = chart.getByRole('slider')
  const read = async () => {
    await line.press('End')
    return amountOf((await line.getAttribute('aria-valuetext')) ?? '')
  }
  const before = await read()
  await page.getByRole('textbox', { name: m.runway_pay() }).fill('500')
  await expect.poll(read).toBeGreaterThan(before + 400)
})

test('with automatic payment the expected balance does not fall below zero', async ({ page }) => {
  const chart = await chartOf(page)
  await chart.getByText(m.chart_table()).click()
  const last = chart.getByRole('table').getByRole('row').last()
  await expect(last).toContainText('expected')
  await expect(last).toContainText(/\$\d/)
  await expect(last).not.toContainText('-$')
})

for (const look of looks) {
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('the chart of the balance breaks no rule of accessibility and fits', async ({ page }) => {
      await chartOf(page, 'ioana@demo.test')
      await expectAccessible(page, 'billing')
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(sideways).toBeLessThanOrEqual(0)
    })
  })
}
