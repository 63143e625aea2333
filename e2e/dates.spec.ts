import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import ro from '../web/src/texts/ro.json' with { type: 'json' }
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

const calendar = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('a day is typed, and chosen by keys alone, from Monday on and within the years', async ({ page }) => {
  await signIn(page)
  await page.goto(`${href('billing-log')}?from=2026-10-31`)
  const from = page.getByLabel(m.date_from(), { exact: true })
  await expect(from).toHaveValue('Oct 31, 2026')
  await page.getByRole('button', { name: m.date_open({ label: m.date_from() }) }).focus()
  await page.keyboard.press('Enter')
  const days = calendar(page, m.date_from())
  await expect(days.getByRole('columnheader').first()).toHaveText('Mo')
  await expect(days.getByRole('button', { name: '31 October 2026', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(days.getByRole('button', { name: '1 November 2026', exact: true })).toBeFocused()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await expect(days).toBeHidden()
  await expect(page).toHaveURL(/from=2026-12-01/)
  await expect(page.getByRole('button', { name: m.date_open({ label: m.date_from() }) })).toBeFocused()
  await from.fill('31.12.2100')
  await expect(page).toHaveURL(/from=2100-12-31/)
  await page.getByRole('button', { name: m.date_open({ label: m.date_from() }) }).click()
  await expect(days.getByRole('button', { name: m.date_next() })).toBeDisabled()
  const years = days.getByRole('combobox', { name: m.date_month() }).last().getByRole('option')
  expect([await years.first().textContent(), await years.last().textContent()]).toEqual(['1900', '2100'])
})

for (const [name, address] of [
  ['billing log', `${href('billing-log')}?`],
  ['payments', `${href('billing')}?tab=payments&`],
] as const)
  test(`a year that cannot be chosen is the fault of its field: ${name}`, async ({ page }) => {
    await signIn(page)
    await page.goto(address)
    const from = page.getByLabel(m.date_from(), { exact: true }).first()
    for (const typed of ['1899-12-31', '2101-01-01']) {
      await from.fill(typed)
      await from.press('Enter')
      await expect(from).toHaveAccessibleDescription(/^Enter a date from 1900 to 2100/)
      await expect(page).not.toHaveURL(/from=/)
    }
    await page.goto(`${address}from=1899-12-31`)
    await expect(from).toHaveValue('')
    await expect(page.getByText(m.load_failed())).toHaveCount(0)
  })

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use({ ...seenAs(look), locale: 'ro' })

    test('the calendar speaks Romanian and can be used by everybody', async ({ page }) => {
      await signIn(page)
      await page.goto(`${href('billing-log')}?to=2026-11-21`)
      const filters = ro.filters_count.replace('{count}', '1')
      if (look.width < 720) await page.getByRole('button', { name: filters }).click()
      const name = ro.date_open.replace('{label}', ro.date_to)
      await page.getByRole('button', { name }).click()
      const days = calendar(page, ro.date_to)
      await expect(days.getByRole('button', { name: '21 Noiembrie 2026', exact: true })).toBeFocused()
      await expect(days.getByRole('columnheader').first()).toHaveText('Lu')
      await expectAccessible(page, 'a calendar')
    })
  })
