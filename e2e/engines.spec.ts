import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, test } from './fixtures.ts'

type Panels = { included: { type: string; attributes: Record<string, unknown> }[] }

/** Shows a panel of the dashboard as the server would in another state. */
async function panelIs(page: Page, name: string, state: Record<string, unknown>): Promise<void> {
  await page.route('**/api/v1/projects?*', async (route) => {
    const response = await route.fetch()
    const json: Panels = await response.json()
    for (const { type, attributes } of json.included)
      if (type === 'panels' && attributes.name === name) Object.assign(attributes, state)
    await route.fulfill({ response, json })
  })
}

const card = (page: Page, name: string) => page.getByRole('article', { name })

test('Connect opens the engine’s own page in a new tab, once, with the rights of the person', async ({
  page,
}) => {
  await openDashboard(page)
  const connect = card(page, 'web-eu1').getByRole('button', { name: 'Connect to web-eu1, in a new tab' })
  const [tab] = await Promise.all([page.waitForEvent('popup'), connect.click()])
  await expect(tab.getByRole('heading', { name: 'Engine console' })).toBeVisible()
  await expect(tab.getByText('Ana Marin')).toBeVisible()
  await expect(tab.getByText(/account_access, domain_access/)).toBeVisible()
  await expect(tab.getByText('all of the panel')).toBeVisible()
  await expectAccessible(tab, 'the engine console')
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await tab.reload()
  await expect(tab.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
})

test('an opened panel is connected to from its page, by keyboard', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Single Servers' })).toBeVisible()
  const connect = page.getByRole('button', { name: 'Connect to web-eu1, in a new tab' })
  await connect.focus()
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await expect(tab.getByRole('heading', { name: 'Engine console' })).toBeVisible()
})

test('an engine that does not answer causes an error message and no empty tab', async ({
  page,
  complaints,
}) => {
  await openDashboard(page)
  const detail = 'The hosting platform is not responding. Try again in a moment.'
  await page.route('**/-actions/connect', (route) =>
    route.fulfill({ status: 502, json: { errors: [{ status: '502', code: 'engine_unavailable', detail }] } }),
  )
  const connect = card(page, 'web-eu1').getByRole('button', { name: /^Connect/ })
  const [tab] = await Promise.all([page.waitForEvent('popup'), connect.click()])
  await expect(page.getByText('web-eu1 could not be opened')).toBeVisible()
  await expect(page.getByText(detail)).toBeVisible()
  expect(tab.isClosed()).toBe(true)
  await expect(connect).toBeEnabled()
  // The seed asks for the details of a failed action in the log.
  expect(complaints.splice(0)).toEqual([detail])
})

test('a panel that cannot be entered says why', async ({ page }) => {
  await panelIs(page, 'web-eu1', { status: 'suspended' })
  await openDashboard(page)
  const connect = card(page, 'web-eu1').getByRole('button', { name: /^Connect/ })
  await expect(connect).toBeDisabled()
  await expect(connect).toHaveAccessibleDescription('Nobody can connect while it is suspended.')
  await connect.focus()
  await expect(page.getByText('Nobody can connect while it is suspended.')).toBeVisible()
  await expectAccessible(page, 'a suspended panel')
})

test('a panel that could not be prepared is tried again from its card', async ({ page }) => {
  await panelIs(page, 'web-eu1', { status: 'error', failed_step: 'provision' })
  await openDashboard(page)
  const asked: string[] = []
  await page.route('**/-actions/retryProvision', (route) => {
    asked.push(route.request().method())
    return route.fulfill({ json: { status: 'provisioning', synced_at: null } })
  })
  const retry = card(page, 'web-eu1').getByRole('button', { name: 'Retry' })
  await expect(retry).toHaveAccessibleDescription('It could not be prepared.')
  await expectAccessible(page, 'a panel in error')
  await retry.click()
  await expect(page.getByText('web-eu1 is being prepared')).toBeVisible()
  expect(asked).toEqual(['POST'])
})

test('a panel that could not be deleted is deleted again, by typing its name', async ({ page }) => {
  await panelIs(page, 'web-eu1', { status: 'error', failed_step: 'delete' })
  await openDashboard(page)
  await card(page, 'web-eu1').getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete web-eu1?' })).toBeVisible()
})
