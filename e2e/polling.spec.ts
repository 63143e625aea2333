import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expect, openDashboard, test } from './fixtures.ts'

/** A little longer than the longer of the dashboard's two timers. */
const bothTimers = 31_000

/** Counts what the page asks the server for from now on. */
function countCalls(page: Page): { calls: string[] } {
  const counted: { calls: string[] } = { calls: [] }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) counted.calls.push(pathname)
  })
  return counted
}

/** Hides the tab behind another one, or shows it again. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now === 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

test.beforeEach(async ({ page }) => {
  await page.clock.install()
})

test('changes on the server show without a reload', async ({ page }) => {
  await openDashboard(page, 'hans@demo.test')
  const server = await api(page)
  const panel = (await server.list('panels')).find(({ attributes }) => attributes.name === 'intranet')
  if (!panel) throw new Error('The demo has no such panel.')
  await server.update('panels', panel.id, { name: 'intranet-2' })
  await page.clock.runFor(16_000)
  await expect(page.getByRole('article', { name: 'intranet-2' })).toBeVisible()
  await server.update('panels', panel.id, { name: 'intranet' })
  await page.clock.runFor(16_000)
  await expect(page.getByRole('article', { name: 'intranet', exact: true })).toBeVisible()
})

test('both timers run on the dashboard, and neither once it is left', async ({ page }) => {
  await openDashboard(page)
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  // The panels of others are asked for last.
  await expect(page.getByText('No panels shared with you')).toBeVisible()
  const counted = countCalls(page)
  await page.clock.runFor(bothTimers)
  const asked = ['/api/v1/projects', '/api/user', '/api/v1/client-panels']
  for (const path of asked) await expect.poll(() => counted.calls).toContain(path)
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.clock.runFor(1_000)
  await page.getByRole('menuitem', { name: 'Manage account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Manage account' })).toBeVisible()
  await page.clock.runFor(1_000)
  counted.calls.length = 0
  await page.clock.runFor(2 * bothTimers)
  // The bell is on every page, and this one may still be loading what it alone shows.
  expect(counted.calls.filter((call) => asked.includes(call))).toEqual([])
})

test('the timers rest in a hidden tab, and go on when it is back', async ({ page }) => {
  await openDashboard(page)
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  // The panels of others are asked for last.
  await expect(page.getByText('No panels shared with you')).toBeVisible()
  await expect(page.getByRole('article', { name: 'web-eu1' }).getByText(/^This month ?\$/)).toBeVisible()
  const counted = countCalls(page)
  await turn(page, 'hidden')
  await page.clock.runFor(2 * bothTimers)
  expect(counted.calls).toEqual([])
  await turn(page, 'visible')
  await page.clock.runFor(16_000)
  await expect.poll(() => counted.calls).toContain('/api/v1/projects')
})

test('a panel that is being made is asked for every three seconds, until it is there', async ({ page }) => {
  let status = 'provisioning'
  await page.route('**/api/v1/projects?*', async (route) => {
    const response = await route.fetch()
    const document = await response.json()
    for (const one of document.included ?? [])
      if (one.attributes.name === 'intranet') Object.assign(one.attributes, { status })
    await route.fulfill({ response, json: document })
  })
  await openDashboard(page, 'hans@demo.test')
  const card = page.getByRole('article', { name: 'intranet' })
  await expect(card.getByText(m.status_provisioning())).toBeVisible()
  status = 'active'
  await page.clock.runFor(3_500)
  await expect(card.getByText(m.status_active(), { exact: true })).toBeVisible()
  const counted = countCalls(page)
  await page.clock.runFor(10_000)
  expect(counted.calls).not.toContain('/api/v1/projects')
})
