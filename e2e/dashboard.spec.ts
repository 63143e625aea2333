import { expect, openDashboard, test } from './fixtures.ts'

test('the dashboard shows the workspace, its figures and its panels', async ({ page }) => {
  await openDashboard(page)
  await expect(page).toHaveTitle('My Workspace · Carpat Cloud')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Workspace Production')
  await expect(page.getByText(/^(?:All 3 panels run|\d of 3 ha(?:s a problem|ve problems))$/)).toBeVisible()
  const panel = page.getByRole('article', { name: 'web-eu1' })
  await expect(panel.getByText(/^(Active|Degraded)$/)).toBeVisible()
  await expect(panel.getByText('3 servers')).toBeVisible()
  await expect(panel.getByText('9 domains')).toBeVisible()
  await expect(panel.getByRole('button', { name: /^Connect/ })).toBeEnabled()
  await expect(panel.getByText(/^This month ?\$\d+\.\d\d$/)).toBeVisible()
  await expect(page.getByText('No panels shared with you')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(4)
})

test('a panel opens with its servers, clusters and domains', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'web-eu1' })).toBeFocused()
  await expect(page).toHaveTitle('web-eu1 · Carpat Cloud')
  await expect(page.getByRole('table', { name: 'Single Servers' }).getByRole('row')).toHaveCount(4)
  await page.getByRole('tab', { name: 'Clusters' }).click()
  await expect(page.getByText('No clusters yet')).toBeVisible()
  await page.getByRole('tab', { name: 'Domains' }).click()
  await expect(page.getByRole('table', { name: 'Domains' }).getByRole('row')).toHaveCount(10)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Domains' })).toHaveAttribute('aria-selected', 'true')
})

test('a table is searched and sorted by the server, and its address keeps both', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await page.getByRole('tab', { name: 'Domains' }).click()
  const names = page.getByRole('table', { name: 'Domains' }).getByRole('rowheader')
  await expect(names).toHaveCount(9)
  const all = await names.allTextContents()
  await page.getByRole('button', { name: 'Name' }).click()
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
  await expect(names.first()).toHaveText(all.at(-1) ?? '')
  await page.getByRole('searchbox').fill('nothing is called this')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expect(page).toHaveURL(/search=nothing/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(names).toHaveCount(9)
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('a guest reads the rows of a panel that is shared with them', async ({ page }) => {
  await openDashboard(page, 'mihai@demo.test')
  const shared = page.getByRole('article', { name: 'web-eu1' })
  await shared.getByRole('link', { name: 'web-eu1', exact: true }).click()
  const rows = (table: string) => page.getByRole('table', { name: table }).getByRole('rowheader')
  await expect(page.getByRole('tab', { name: 'Single Servers (3)' })).toBeVisible()
  await expect(rows('Single Servers')).toHaveText(['db-1', 'web-1', 'web-2'])
  await page.getByRole('tab', { name: 'Domains (9)' }).click()
  await expect(rows('Domains')).toHaveCount(9)
  await page.goBack()
  await page.goto('/')
  await page.getByRole('link', { name: 'shop-cluster', exact: true }).click()
  await page.getByRole('tab', { name: 'Clusters (1)' }).click()
  await expect(rows('Clusters')).toHaveCount(1)
})

test('an absent panel and one of another account are not found', async ({ page }) => {
  await openDashboard(page)
  await page.goto('/999999')
  await expect(page.getByRole('heading', { name: 'No such panel' })).toBeVisible()
  await expect(page).toHaveTitle('No such panel · Carpat Cloud')
})

test('a workspace is added by the rules of its name, becomes the current one, and is left by the bar', async ({
  page,
}) => {
  await openDashboard(page, 'mihai@demo.test')
  const bar = page.getByRole('banner')
  await page.getByRole('main').getByRole('button', { name: 'Add workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add workspace' })
  const name = dialog.getByLabel('Workspace name')
  await expect(name).toBeFocused()
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await expect(dialog.getByText('Project name is required')).toBeVisible()
  await expect(name).toHaveAccessibleDescription('Project name is required')
  await expect(page.getByText('An error occurred')).toBeVisible()
  await name.fill('seventeen letters')
  // A problem that is being fixed is not repeated.
  await expect(page.getByText('An error occurred')).toHaveCount(0)
  await expect(dialog.getByText('At most 16 characters')).toBeVisible()
  await name.fill('My Workspace')
  await name.press('Enter')
  await expect(name).toHaveAccessibleDescription('You already have a workspace with this name')
  await name.fill('Sixteen letters!')
  await name.press('Enter')
  await expect(page.getByText('Project created')).toBeVisible()
  await expect(page.getByText('Your project has been saved')).toBeVisible()
  await expect(bar.getByRole('button', { name: /^Workspace: Sixteen letters!/ })).toBeVisible()
  await expect(page.getByText('No panels in this workspace')).toBeVisible()
  await page.reload()
  await expect(bar.getByRole('button', { name: /^Workspace: Sixteen letters!/ })).toBeVisible()
  await bar.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'My Workspace' }).click()
  await expect(bar.getByRole('button', { name: /^Workspace: My Workspace/ })).toBeVisible()
})

test('a panel is added, renamed and deleted by typing its name', async ({ page }) => {
  await openDashboard(page, 'hans@demo.test')
  await page.getByRole('button', { name: 'Add panel' }).first().click()
  await page.getByLabel('Panel name').fill('fresh')
  await page.getByRole('dialog').getByRole('button', { name: 'Add panel' }).click()
  await expect(page.getByRole('article', { name: 'fresh' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for fresh' }).click()
  await page.getByRole('menuitem', { name: 'Edit panel' }).click()
  await page.getByLabel('Panel name').fill('renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article', { name: 'renamed' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for renamed' }).click()
  await page.getByRole('menuitem', { name: 'Delete panel' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete panel' })
  await expect(confirm).toBeDisabled()
  await expect(page.getByRole('dialog')).toContainText(
    /Deleted with it: \d+ servers?[\w, ]* and \d+ domains?\./,
  )
  await page.getByLabel('Type renamed to confirm').fill('renamed')
  await confirm.click()
  await expect(page.getByText('renamed is being deleted')).toBeVisible()
})

test('a failing list shows the seed’s dialog and the page offers to try again', async ({
  page,
  complaints,
}) => {
  await openDashboard(page)
  const refusal = {
    errors: [
      { status: '400', detail: 'First detail' },
      { status: '400', detail: 'Second detail' },
    ],
  }
  await page.route('**/api/v1/servers?*', (route) => route.fulfill({ status: 400, json: refusal }))
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Servers error' })
  await expect(dialog).toContainText('First detail\nSecond detail')
  // It is said once: by the dialog, and in the page when that is closed.
  await expect(page.getByText('First detail')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('alert')).toContainText('First detail')
  await page.unroute('**/api/v1/servers?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('table', { name: 'Single Servers' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a negative balance is shown with how long it lasts and the way to pay', async ({ page }) => {
  await openDashboard(page, 'ioana@demo.test')
  const notices = page.getByRole('complementary', { name: 'Account notices' })
  await expect(notices).toContainText(/-€\d+\.\d\d/)
  // A day more once it is past midnight.
  await expect(notices).toContainText(/1[67] days/)
  await notices.getByRole('link', { name: 'Pay now' }).click()
  await expect(page).toHaveURL('/payment')
})

test('a person with complete details and a payment sees no notice', async ({ page }) => {
  await openDashboard(page)
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Account notices' })).toHaveCount(0)
})
