import type { Browser, Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { newcomer, newcomerWithPanel } from './newcomer.ts'

const panel = (page: Page, name: string) => page.getByRole('article', { name })

/** Presses an item of the menu of something on the dashboard. */
async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  // An opened menu takes the focus, which would go from the item to its first one.
  await page.waitForFunction(() => document.activeElement?.closest('[role="menu"]') !== null)
  // By the keyboard: in a small window the demo's ribbon may lie over the last items.
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

/** A second person shares a workspace of two panels with the person of the page. */
async function sharedWith(page: Page, browser: Browser, baseURL: string | undefined): Promise<void> {
  const email = await newcomer(page)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const owner = await context.newPage()
  await newcomer(owner)
  const theirs = await api(owner)
  const [project] = await theirs.list('projects')
  for (const name of ['web-one', 'web-two'])
    await theirs.create(
      'panels',
      { name, plan_code: 'start' },
      { project: { type: 'projects', id: project?.id ?? '' } },
    )
  await theirs.create('share-permissions', {})
  const [permission] = await theirs.list('share-permissions')
  await theirs.create(
    'share-invitations',
    { first_name: 'Maria', last_name: 'Ionescu', invited_email: email },
    { permission: { type: 'share-permissions', id: permission?.id ?? '' } },
  )
  await context.close()
  await page.goto(
    new URL(linkOf(await lastLetter(page.request, email, /gives you access|invited to share/))).pathname,
  )
  await page.getByRole('button', { name: m.invitation_accept() }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.go_on() }).click()
  await page.getByRole('link', { name: m.invitation2_go(), exact: true }).click()
}

test('a workspace is renamed and deleted from its menu', async ({ page }) => {
  await newcomer(page)
  await (await api(page)).create('projects', { name: 'Production' })
  await page.goto('/')
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'Production' }).click()
  await choose(page, m.workspace_menu({ name: 'Production' }), m.workspace_rename())
  const dialog = page.getByRole('dialog', { name: m.workspace_rename() })
  await dialog.getByRole('textbox', { name: m.workspace_name() }).fill('Live')
  await dialog.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.workspace_renamed({ name: 'Live' }))).toBeVisible()
  await expect(page.getByRole('button', { name: /^Workspace: ?Live/ })).toBeVisible()
  await choose(page, m.workspace_menu({ name: 'Live' }), m.workspace_delete())
  await page.getByRole('dialog').getByRole('button', { name: m.workspace_delete_verb() }).click()
  await expect(page.getByText(m.workspace_deleted({ name: 'Live' }))).toBeVisible()
  await expect(page.getByRole('button', { name: /^Workspace: ?Live/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Workspace: ?My Workspace/ })).toBeVisible()
})

/** A workspace that is added becomes the current one; this leads back to the first. */
async function openFirst(page: Page): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Workspace:/ })
    .click()
  await page.getByRole('menuitem', { name: m.dashboard_title() }).click()
  await expect(panel(page, 'broken')).toBeVisible()
}

test('a panel is moved to another workspace by its menu, and the activity says so', async ({ page }) => {
  await newcomerWithPanel(page)
  await page.goto('/')
  const card = page.getByRole('article', { name: 'broken' })
  await card.getByRole('button', { name: m.panel_menu({ name: 'broken' }) }).click()
  const item = page.getByRole('menuitem', { name: m.panel_move() })
  await expect(item).toBeDisabled()
  await expect(item).toHaveAccessibleDescription(m.panel_move_none())
  await (await api(page)).create('projects', { name: 'Second' })
  await openFirst(page)
  await card.getByRole('button', { name: m.panel_menu({ name: 'broken' }) }).click()
  await item.click()
  const dialog = page.getByRole('dialog', { name: m.panel_move_title({ name: 'broken' }) })
  await expect(dialog.getByLabel(m.workspace())).toHaveValue(/\d/)
  await expectAccessible(page, 'moving a panel')
  await dialog.getByRole('button', { name: m.panel_move_verb() }).click()
  await expect(page.getByText(m.panel_moved({ name: 'broken', workspace: 'Second' }))).toBeVisible()
  await expect(card).toHaveCount(0)
  const [moved] = await (await api(page)).list('panels')
  await page.goto(`${href('dashboard', { panel_id: String(moved?.id) })}?tab=activity`)
  const acts = page.getByRole('list', { name: m.panel_activity() }).getByRole('listitem')
  await expect(acts.first()).toContainText('Second')
})

test('a move that is refused says why, and the dialog stays', async ({ page }) => {
  await newcomerWithPanel(page)
  const server = await api(page)
  const second = await server.create('projects', { name: 'Second' })
  await openFirst(page)
  await page.getByRole('button', { name: m.panel_menu({ name: 'broken' }) }).click()
  await page.getByRole('menuitem', { name: m.panel_move() }).click()
  await inDatabase('delete from projects where id = $1', second)
  const dialog = page.getByRole('dialog', { name: m.panel_move_title({ name: 'broken' }) })
  await dialog.getByRole('button', { name: m.panel_move_verb() }).click()
  await expect(dialog.getByRole('alert')).toContainText(/\S/)
})

test('a panel of another person is hidden and shown, and all of it is given back', async ({
  page,
  browser,
  baseURL,
}) => {
  await sharedWith(page, browser, baseURL)
  await expect(panel(page, 'web-two')).toBeVisible()
  await choose(page, m.panel_menu({ name: 'web-one' }), m.shared_hide())
  await expect(panel(page, 'web-one')).toHaveCount(0)
  await page.getByRole('button', { name: m.shared_show_hidden({ count: 1 }) }).click()
  await choose(page, m.panel_menu({ name: 'web-one' }), m.shared_unhide())
  await expect(page.getByText(m.shared_unhidden({ name: 'web-one' }))).toBeVisible()
  await choose(page, m.panel_menu({ name: 'web-two' }), m.shared_leave())
  await page.getByRole('dialog').getByRole('button', { name: m.shared_leave_verb() }).click()
  await expect(page.getByText(m.shared_left({ name: 'Maria Ionescu' }))).toBeVisible()
  await expect(page.getByText(m.shared_empty_title())).toBeVisible()
})
