import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { money, profileOf } from './money.ts'

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
  // Each payment is a step of its amount less what the day costs; no day of use adds money.
  const read = await chart
    .getByRole('row')
    .filter({ hasText: 'expected' })
    .getByRole('cell')
    .allTextContents()
  const steps = read.map(amountOf).flatMap((value, at, all) => (at === 0 ? [] : [value - (all[at - 1] ?? 0)]))
  const { daily_use } = await profileOf(page)
  expect(steps.filter((step) => step > 0).length).toBeGreaterThan(0)
  for (const step of steps.filter((step) => step > 0)) expect(step).toBeCloseTo(50 - daily_use, 1)
})

test('below zero the amounts of the warning and of the suspension are marked in the chart', async ({
  page,
}) => {
  const suspension = page.getByText(/^Suspension below -€/)
  const chart = await chartOf(page, 'ioana@demo.test')
  const { warn_below } = await profileOf(page)
  await expect(chart.getByText(m.runway_warns({ amount: money(warn_below, 'EUR') }))).toBeVisible()
  // Fifty are far below all that is drawn.
  await expect(suspension).toHaveCount(0)
  await page.route('**/api/v1/billing-profiles*', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    for (const { attributes } of json.data) attributes.credit_limit = 6
    await route.fulfill({ response: answer, json })
  })
  await page.reload()
  await expect(suspension).toHaveText(m.runway_suspends({ amount: money(-6, 'EUR') }))
})

test('the use of the days is drawn over the days before, and today is hatched', async ({ page }) => {
  await chartOf(page, 'hans@demo.test')
  const use = page.getByRole('figure', { name: m.use_by_day() })
  await expect(use.getByRole('listitem').filter({ hasText: m.use_before({ count: 30 }) })).toBeVisible()
  const slider = use.getByRole('slider')
  const lines = await slider.evaluate((plot) =>
    [...plot.querySelectorAll('polyline')].map((line) => line.getAttribute('points')?.split(' ').length),
  )
  expect(lines).toEqual([30])
  await slider.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', /so far: €\d/)
  const hatched = await slider.evaluate((plot) =>
    [...plot.querySelectorAll('span')]
      .filter((part) => getComputedStyle(part).backgroundImage.startsWith('repeating-linear-gradient'))
      .map((part) => part.getBoundingClientRect())
      .map(({ right, height }) => ({ isLast: right > plot.getBoundingClientRect().right - 20, height })),
  )
  expect(hatched).toHaveLength(1)
  expect(hatched[0]?.isLast).toBe(true)
  expect(hatched[0]?.height).toBeGreaterThan(0)
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
