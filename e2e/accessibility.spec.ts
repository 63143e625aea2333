import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { refusal } from './refusal.ts'

/** Presses a button, waits for what it opens, looks at it, and closes it. */
async function lookAt(page: Page, button: string | RegExp, opened: string, what: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await expect(page.getByText(opened, { exact: true }).last()).toBeVisible()
  await expectAccessible(page, what)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('pages', async ({ page }) => {
      await page.goto('/login')
      await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
      await page.getByRole('tab', { name: m.register_title() }).click()
      await expectAccessible(page, 'create account')
      await signIn(page, 'ioana@demo.test')
      await page.goto('/')
      await expect(page.getByRole('link', { name: m.pay_now() })).toBeVisible()
      await expect(page.getByRole('article', { name: 'fotoblog' })).toBeVisible()
      await expectAccessible(page, 'dashboard with banner')
      await page.goto('/no-such-page')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, 'not found')
    })

    test('overlays', async ({ page }) => {
      await openDashboard(page)
      await lookAt(page, /^Workspace:/, 'Staging', 'workspace menu')
      await lookAt(page, 'Actions for web-eu1', m.panel_delete(), 'panel menu')
      if (look.width > 720) {
        await lookAt(page, /Account menu of/, m.sign_out(), 'account menu')
        await lookAt(page, m.share_access(), 'mihai@demo.test', 'team panel')
      } else {
        await lookAt(page, m.menu_open(), m.sign_out(), 'drawer')
      }
      await page.keyboard.press('Control+k')
      await expect(page.getByPlaceholder(m.palette_placeholder())).toBeVisible()
      await expectAccessible(page, 'palette')
      await page.keyboard.press('Escape')
      if (look.width > 720)
        await page.getByRole('main').getByRole('button', { name: m.workspace_add() }).click()
      else {
        await page.getByRole('button', { name: /^Actions for workspace/ }).click()
        await page.getByRole('menuitem', { name: m.workspace_add() }).click()
      }
      const dialog = page.getByRole('dialog', { name: m.workspace_add() })
      await dialog.getByRole('button', { name: m.workspace_create() }).click()
      await expect(dialog.getByText(refusal('project_name_required'))).toBeVisible()
      await expectAccessible(page, 'dialog with a fault')
    })
  })
}
