import type { Locator, Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { ana, expect, openDashboard, password, test } from './fixtures.ts'

/** Presses Tab until the focus is there, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator, most = 25): Promise<void> {
  for (let press = 0; press < most; press++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`The focus did not come to ${target} with ${most} presses of Tab.`)
}

test('one signs in with the keyboard alone', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
  await tabTo(page, page.getByLabel(m.email(), { exact: true }))
  await page.keyboard.type(ana)
  await tabTo(page, page.getByLabel(m.password(), { exact: true }), 1)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('the skip link leads past the bar', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: m.skip_to_content() })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})

test('a dialog keeps the focus inside, closes by Escape, and gives the focus back', async ({ page }) => {
  await openDashboard(page)
  const opener = page.getByRole('main').getByRole('button', { name: m.workspace_add() })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: m.workspace_add() })
  await expect(dialog.getByLabel(m.workspace_name())).toBeFocused()
  for (const back of [false, true]) {
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the palette is walked by arrows, and gives the focus back when it is left', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const before = page.getByRole('link', { name: m.logo() })
  await expect(before).toBeFocused()
  await page.keyboard.press('Control+k')
  const search = page.getByPlaceholder(m.palette_placeholder())
  await expect(search).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await expect(before).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(search).toBeFocused()
  await page.keyboard.type('bill')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^Billing/ })).toBeVisible()
})

test('a panel’s tabs are changed by arrows', async ({ page }) => {
  await openDashboard(page)
  await tabTo(page, page.getByRole('link', { name: 'web-eu1', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'web-eu1' })).toBeFocused()
  await tabTo(page, page.getByRole('tab', { name: /^Single Servers/ }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: /^Clusters/ })).toBeFocused()
  await expect(page.getByText(m.clusters_empty_title())).toBeVisible()
})

test('letters lead about, a list tells of them, and whoever is disturbed by them turns them off', async ({
  page,
}) => {
  await openDashboard(page)
  const dashboard = page.getByRole('heading', { level: 1, name: m.dashboard_title() })
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  // What is typed is typed.
  await page.keyboard.type('g t?')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toHaveValue('g t?')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.type('gt')
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeFocused()
  await page.keyboard.type('gb')
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeFocused()
  await page.keyboard.type('gd')
  await expect(dashboard).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await expect(page.getByRole('searchbox')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: m.keys_title() })
  await expect(list).toContainText(m.key_tickets())
  await list.getByRole('checkbox', { name: m.keys_letters() }).click()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await page.keyboard.type('gd')
  await page.keyboard.press('?')
  await expect(list).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'web-eu1' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(m.keys_title())
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(list).toBeVisible()
})
