import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { dayInWords, money, profileOf } from './money.ts'

const chart = (page: Page) => page.getByRole('figure', { name: m.use_by_day() })

/** The day before the books' today: it is over, and charged. */
async function yesterday(page: Page): Promise<string> {
  const { as_of } = await profileOf(page)
  return new Date(Date.parse(as_of) - 86_400_000).toISOString().slice(0, 10)
}

test('use is followed from months to a day to what was measured there, and back', async ({ page }) => {
  await signIn(page)
  const day = await yesterday(page)
  await page.goto(`${href('usages')}?period=year`)
  await page
    .getByRole('table', { name: m.usage_by_month() })
    .getByRole('rowheader')
    .first()
    .getByRole('link')
    .click()
  await page.goto(`${href('usages')}?period=${day.slice(0, 7)}`)
  const days = page.getByRole('table', { name: m.usage_by_day() })
  const row = days.getByRole('row', { name: dayInWords(day) })
  const used = await row.getByRole('cell').first().textContent()
  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`period=${day}`))
  await expect(
    page
      .getByRole('definition')
      .filter({ hasText: used ?? '' })
      .first(),
  ).toBeVisible()
  const lines = page.getByRole('table', { name: m.usage_lines() })
  await expect(lines.getByRole('listitem').filter({ hasText: m.meter_cpu_hours() }).first()).toContainText(
    '×',
  )
  await page.getByRole('navigation', { name: m.usage_period() }).getByRole('link').last().click()
  await expect(days).toBeVisible()
  await page.goto(`${href('usages')}?period=year&split=lines`)
  await page.getByRole('combobox', { name: m.rows_a_page() }).selectOption('50')
  await expect(lines.getByRole('rowheader')).toHaveCount(50)
})

test('filters narrow the chart and the rows to the same, and the address keeps them', async ({ page }) => {
  await signIn(page)
  await page.goto(`${href('usages')}?period=year`)
  await page.getByRole('combobox', { name: m.usage_panel(), exact: true }).selectOption({ label: 'web-eu1' })
  await page.getByRole('radiogroup', { name: m.usage_split() }).getByText(m.usage_resource()).click()
  const rows = page.getByRole('table', { name: m.usage_resource() })
  await expect(rows.getByRole('rowheader').filter({ hasNotText: m.total() }).first()).toBeVisible()
  const total = rows.getByRole('row', { name: m.total() }).getByRole('cell').first()
  await expect(page.getByRole('figure').getByRole('strong')).toHaveText((await total.textContent()) ?? '')
  await page.reload()
  await expect(page.getByRole('combobox', { name: m.usage_panel(), exact: true })).toHaveValue(/^\d+$/)
  await expect(rows).toBeVisible()
  await rows.getByRole('rowheader').first().getByRole('link').click()
  await expect(page.getByRole('combobox', { name: m.usage_resource() })).not.toHaveValue('all')
})

test('the filtered rows are downloaded as a CSV file, and a long download can be stopped', async ({
  page,
}) => {
  await signIn(page)
  const day = await yesterday(page)
  await page.goto(`${href('usages')}?period=${day}`)
  const count = page.getByRole('status').filter({ hasText: /\d+ rows/ })
  await expect(count).toBeVisible()
  const rows = Number((await count.textContent())?.match(/\d+/)?.[0])
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.export_csv() }).click()
  const file = await readFile(await (await arriving).path(), 'utf8')
  const written = file.trim().split('\r\n')
  expect(written).toHaveLength(rows + 1)
  expect(written.slice(1).every((line) => line.startsWith(day))).toBe(true)
  await page.route('**/-actions/export?*', () => undefined)
  await page.getByRole('button', { name: m.export_csv() }).click()
  await page.getByRole('button', { name: m.export_cancel() }).click()
  await expect(page.getByRole('button', { name: m.export_csv() })).toBeVisible()
})

test('the log is narrowed by what happened and when, and set back', async ({ page }) => {
  await signIn(page)
  await page.goto(href('billing-log'))
  const log = page.getByRole('table', { name: m.billing_log_title() })
  await page.getByRole('combobox', { name: m.column_type() }).selectOption(m.log_kind_deposit())
  await expect(page).toHaveURL(/kind=deposit/)
  await expect(log.getByRole('row').filter({ hasText: m.log_kind_usage() })).toHaveCount(0)
  await page.getByLabel(m.date_to(), { exact: true }).fill('2001-01-01')
  await expect(page.getByText(m.nothing_found_filters())).toBeVisible()
  await page.getByRole('button', { name: m.filters_clear() }).click()
  await expect(log.getByRole('row').filter({ hasText: m.log_kind_usage() }).first()).toBeVisible()
  await expect(page.getByLabel(m.date_to(), { exact: true })).toHaveValue('')
})

test('a top-up and one more panel are tried out before they are paid for', async ({ page }) => {
  await signIn(page, 'hans@demo.test')
  await page.goto(href('billing'))
  const runway = page.getByRole('region', { name: m.runway_title() })
  const { exhaustion_date } = await profileOf(page)
  await expect(runway).toContainText(dayInWords(exhaustion_date ?? ''))
  await runway.getByRole('button', { name: money(100, 'EUR') }).click()
  const longer = runway.getByRole('status').getByText(/^Then: The balance lasts until/)
  await expect(longer).toBeVisible()
  const paid = await longer.textContent()
  await runway.getByLabel(m.runway_panel()).selectOption({ index: 1 })
  await expect(longer).not.toHaveText(paid ?? '')
  await runway.getByLabel(m.runway_pay()).fill('a lot')
  await expect(runway.getByText(m.fault_amount())).toBeVisible()
})

test('with automatic payment the page says when it pays, and folds what only a failure causes', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(href('billing'))
  const runway = page.getByRole('region', { name: m.runway_title() })
  await expect(runway).toContainText(/The balance is topped up with \$50\.00 around \w+\s\d+,\s\d{4}\./)
  await runway.getByRole('button', { name: money(100) }).click()
  await expect(runway.getByRole('status')).toContainText(/^Then: The balance is topped up with \$50\.00/)
  const failed = page.getByRole('region', { name: m.timeline_refused() })
  const suspended = failed.getByRole('listitem').filter({ hasText: m.step_suspended() })
  await expect(suspended).toBeHidden()
  await failed.getByText(m.timeline_show()).click()
  await expect(suspended).toBeVisible()
})

test('the chart of use is split by panel, or as one chooses, and the address keeps the choice', async ({
  page,
}) => {
  await signIn(page)
  await page.goto(href('billing'))
  const split = page.getByRole('combobox', { name: m.usage_split() })
  await expect(
    chart(page)
      .getByRole('listitem')
      .filter({ hasText: /^shop-cluster/ }),
  ).toBeVisible()
  await split.selectOption(m.workspace())
  await expect(
    chart(page)
      .getByRole('listitem')
      .filter({ hasText: /^Production/ }),
  ).toBeVisible()
  await page.reload()
  await expect(split).toHaveValue('project')
})

test('a panel in the address narrows the chart to it, and arrow keys read its columns', async ({ page }) => {
  await signIn(page)
  await page.goto(href('billing', { panel_id: 1 }))
  await expect(page.getByRole('combobox', { name: m.usage_panel(), exact: true })).toHaveValue('1')
  const { as_of } = await profileOf(page)
  const columns = chart(page).getByRole('slider')
  await columns.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(columns).toHaveAttribute('aria-valuetext', new RegExp(`^${dayInWords(as_of)}, so far: \\$`))
  await chart(page).getByText(m.chart_table()).click()
  await expect(chart(page).getByRole('row')).toHaveCount(31)
})

test('the chart of use compares with the days before, and a day of it opens in Usage', async ({ page }) => {
  await signIn(page)
  const day = await yesterday(page)
  await page.goto(href('billing', { panel_id: 1 }))
  const past = chart(page)
    .getByRole('listitem')
    .filter({ hasText: m.use_before({ count: 30 }) })
  await expect(past).toContainText(/\$\d/)
  const columns = chart(page).getByRole('slider')
  await columns.press('End')
  const { as_of } = await profileOf(page)
  await expect(columns).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`^${m.chart_so_far({ name: dayInWords(as_of) })}: \\$`),
  )
  await chart(page).getByText(m.chart_table()).click()
  await expect(chart(page).getByRole('link', { name: dayInWords(day), exact: true })).toHaveAttribute(
    'href',
    new RegExp(`period=${day}`),
  )
  await columns.press('ArrowLeft')
  await columns.press('ArrowLeft')
  await columns.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${href('usages')}\\?.*period=${day}`))
  await expect(page.getByRole('combobox', { name: m.usage_panel(), exact: true })).toHaveValue('1')
  await page.goBack()
  const { width = 0, height: tall = 0 } = (await columns.boundingBox()) ?? {}
  await columns.click({ position: { x: width - 1, y: tall / 2 } })
  await expect(page).toHaveURL(new RegExp(`period=${as_of}`))
})

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The tabs of billing besides the overview, and what each shows once it has loaded. */
const otherTabs = [
  { tab: 'methods', role: 'list', title: m.cards_title() },
  { tab: 'payments', role: 'table', title: m.payments_title() },
  { tab: 'invoices', role: 'table', title: m.invoices_title() },
] as const

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the pages about money break no rule of accessibility', async ({ page }) => {
      test.setTimeout(180_000)
      await signIn(page, 'ioana@demo.test')
      await page.goto(href('billing'))
      await expect(chart(page).getByRole('slider')).toBeVisible()
      await chart(page).getByText(m.chart_table()).click()
      await page.getByLabel(m.runway_pay()).fill('50')
      await expect(page.getByText(/^Then: /)).toBeVisible()
      await expectAccessible(page, 'billing')
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      for (const { tab, role, title } of otherTabs) {
        // Her invoices are statements alone.
        await page.goto(`${href('billing')}?tab=${tab}&documents=statements`)
        await expect(page.getByRole(role, { name: title })).toBeVisible()
        await expectAccessible(page, `billing, ${tab}`)
        expect(await sideways(page)).toBeLessThanOrEqual(0)
      }
      await page.goto(`${href('usages')}?split=lines`)
      await expect(
        page.getByRole('table', { name: m.usage_lines() }).getByRole('rowheader').first(),
      ).toBeVisible()
      await expectAccessible(page, 'usages')
      expect(await sideways(page)).toBeLessThanOrEqual(0)
    })
  })
}
