import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, openDashboard, signIn, test } from './fixtures.ts'

async function expectAccessible(page: Page, what: string): Promise<void> {
  // Colours are measured as painted, so nothing may still be fading.
  await page.waitForTimeout(300)
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${what}: ${id}\n${html}\n${failureSummary}`),
  )
  expect(found).toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    test('sign-in', async ({ page }) => {
      await page.goto('/login')
      await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
      await expectAccessible(page, 'login')
      await page.getByRole('tab', { name: 'Create account' }).click()
      await expectAccessible(page, 'create account')
    })

    test('dashboard, with its menus and dialogs open', async ({ page }) => {
      await openDashboard(page)
      await expectAccessible(page, 'dashboard')
      await page.getByRole('button', { name: /^Workspace:/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Add workspace' })).toBeVisible()
      await expectAccessible(page, 'workspace menu')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
      await expectAccessible(page, 'account menu')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Add workspace' }).click()
      await expect(page.getByLabel('Workspace name')).toBeVisible()
      await page.getByRole('button', { name: 'Create workspace' }).click()
      await expectAccessible(page, 'dialog with a fault')
    })

    test('an opened panel, the team panel, the palette', async ({ page }) => {
      await openDashboard(page)
      await page.getByRole('link', { name: 'web-eu1' }).click()
      await expect(page.getByRole('rowheader').first()).toBeVisible()
      await expectAccessible(page, 'panel')
      await page.getByRole('button', { name: 'Share access' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'team panel')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('textbox', { name: 'Where to?' })).toBeVisible()
      await expectAccessible(page, 'palette')
    })

    test('an unfinished page, a missing page, the banner', async ({ page }) => {
      await signIn(page, 'ioana@demo.test')
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Pay now' })).toBeVisible()
      await expectAccessible(page, 'banner')
      await page.goto('/billing')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, 'coming')
      await page.goto('/no-such-page')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, 'not found')
    })
  })
}
