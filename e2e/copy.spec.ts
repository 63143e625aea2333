import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { inRomanian } from './romanian.ts'

const test = withOwnPortal({ ACT: '0' })

test('every page of a copy says that it is one, and a change is refused in words', async ({ page }) => {
  await page.goto(href('login'))
  await expect(page.getByText(m.copy_notice())).toBeVisible()
  await openDashboard(page, 'ana@demo.test')
  await expect(page.getByText(m.copy_notice())).toBeVisible()
  await expectAccessible(page, 'the dashboard of a copy')
  await page.getByRole('button', { name: m.workspace_menu({ name: 'Production' }) }).click()
  await page.getByRole('menuitem', { name: m.workspace_rename() }).click()
  const dialog = page.getByRole('dialog', { name: m.workspace_rename() })
  await dialog.getByRole('textbox', { name: m.workspace_name() }).fill('not kept')
  await dialog.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(refusal('copy_mode'))).toBeVisible()
})

test('the desk of a copy says so too, in the language of the reader', async ({ page, baseURL }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await expect(page.getByText(m.copy_notice())).toBeVisible()
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await expect(page.getByText(inRomanian(m.copy_notice))).toBeVisible()
})
