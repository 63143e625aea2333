import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, test } from './fixtures.ts'

/** Adds a panel, which no other test looks at, and opens its only or first server. */
async function openServer(page: Page, panel: string) {
  await openDashboard(page, 'hans@demo.test')
  await page.getByRole('button', { name: 'Add panel' }).first().click()
  await page.getByLabel('Panel name').fill(panel)
  await page.getByRole('dialog').getByRole('button', { name: 'Add panel' }).click()
  await page.getByRole('link', { name: panel, exact: true }).click()
  await page.getByRole('button', { name: 'web-1', exact: true }).click()
  return page.getByRole('dialog', { name: 'web-1' })
}

test('a server shows its figures, stops after a question, starts again, and the activity says so', async ({
  page,
}) => {
  const drawer = await openServer(page, 'power')
  await expect(drawer.getByText(m.figure_memory_used())).toBeVisible()
  await expect(drawer.getByText(/^[\d.]+ of \d+ GB$/).first()).toBeVisible()
  const day = drawer.getByRole('region', { name: m.series_title() })
  await expect(day.getByText(/^now \d+%, at most \d+%$/)).toBeVisible()
  await expectAccessible(page, 'the drawer of a server')
  await drawer.getByRole('button', { name: m.power_stop() }).click()
  const question = page.getByRole('dialog', { name: m.power_stop_title({ name: 'web-1' }) })
  await question.getByRole('checkbox', { name: m.power_force() }).check()
  const asked = page.waitForRequest('**/-actions/power')
  await question.getByRole('button', { name: m.power_stop() }).click()
  expect((await asked).postDataJSON()).toMatchObject({ action: 'stop', force: true })
  await expect(page.getByText(m.power_done_stop({ name: 'web-1' }))).toBeVisible()
  await expect(drawer.getByText(m.status_stopped())).toBeVisible()
  await drawer.getByRole('button', { name: m.power_start() }).click()
  await expect(drawer.getByText(m.status_running(), { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: m.panel_activity() }).click()
  const acts = page.getByRole('list', { name: m.panel_activity() })
  await expect(acts.getByText(m.panel_act_server_started({ to: 'web-1' }))).toBeVisible()
  await expect(acts.getByText(m.panel_act_server_stopped({ to: 'web-1' }))).toBeVisible()
  const inside = page.getByRole('region', { name: m.audit_title() }).getByRole('listitem')
  await expect(inside).toHaveText([/^started: web-1You/, /^stopped: web-1You/])
  await expectAccessible(page, 'the activity inside a panel')
})

test('a domain shows its certificate and where the Internet looks for it', async ({ page }) => {
  await openServer(page, 'certified')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /^Domains/ }).click()
  const name = page.getByRole('button', { name: /\.test$/ }).first()
  await name.click()
  const drawer = page.getByRole('dialog', { name: (await name.textContent()) ?? '' })
  await expect(drawer.getByText('Example CA, renews by itself')).toBeVisible()
  await expect(drawer.getByText('ns1.example.net')).toBeVisible()
  await expectAccessible(page, 'the drawer of a domain')
})

test('a restart without an answer says that nobody knows, and is tried again under the same id', async ({
  page,
  complaints,
}) => {
  const drawer = await openServer(page, 'unanswered')
  const asked: string[] = []
  await page.route('**/-actions/power', async (route) => {
    asked.push(route.request().postDataJSON().request_id)
    if (asked.length > 1) return route.continue()
    const detail = 'The hosting platform did not answer.'
    return route.fulfill({
      status: 502,
      json: { errors: [{ status: '502', code: 'server_power_unanswered', detail }] },
    })
  })
  await drawer.getByRole('button', { name: m.power_restart() }).click()
  const question = page.getByRole('dialog', { name: m.power_restart_title({ name: 'web-1' }) })
  await question.getByRole('button', { name: m.power_restart() }).click()
  await expect(question.getByRole('alert')).toHaveText('The hosting platform did not answer.')
  await question.getByRole('button', { name: m.power_again() }).click()
  await expect(page.getByText(m.power_done_restart({ name: 'web-1' }))).toBeVisible()
  expect(asked).toHaveLength(2)
  expect(new Set(asked).size).toBe(1)
  expect(complaints.splice(0)).toEqual(['The hosting platform did not answer.'])
})
