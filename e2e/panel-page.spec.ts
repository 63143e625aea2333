import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

/** Opens a panel by its card, and returns the strip of facts about it. */
async function openPanel(page: Page, panel: string, email?: string) {
  await signIn(page, email)
  await page.goto('/')
  await page.getByRole('link', { name: panel, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: panel })).toBeVisible()
  return page.getByRole('region', { name: m.panel_at_a_glance() })
}

test('the owner reads what a panel costs this month, its tickets and its people, each a link to them', async ({
  page,
}) => {
  const strip = await openPanel(page, 'web-eu1')
  const cost = strip.getByRole('link', { name: /^\$\d+\.\d\d, usage of web-eu1$/ })
  await expect(cost).toBeVisible()
  const amount = (await cost.textContent()) ?? ''
  await cost.click()
  await expect(page.getByRole('heading', { level: 1, name: m.usages_title() })).toBeVisible()
  await expect(page.getByText(amount, { exact: true }).first()).toBeVisible()
  await page.goBack()
  const tickets = strip.getByRole('link', { name: /^\d+ tickets?$/ })
  const count = Number.parseInt((await tickets.textContent()) ?? '', 10)
  await tickets.click()
  await expect(page.getByRole('table', { name: 'Tickets' }).getByRole('rowheader')).toHaveCount(count)
  await page.goBack()
  await strip.getByRole('link', { name: /^\d+ (?:person|people)$/ }).click()
  await expect(page).toHaveURL(/\/delegate-access#workspace-\d+$/)
  await expect(page.getByRole('rowheader', { name: 'web-eu1' })).toBeVisible()
})

test('a row of a panel opens with everything about it, to copy, and closes with the focus back', async ({
  page,
}) => {
  await openPanel(page, 'web-eu1')
  const row = page.getByRole('button', { name: 'web-1', exact: true })
  await row.click()
  const drawer = page.getByRole('dialog', { name: 'web-1' })
  await expect(drawer.getByText(m.column_ip())).toBeVisible()
  await expect(drawer.getByRole('button', { name: m.copy_one({ what: 'web-1' }) })).toBeVisible()
  const ip = (await drawer.getByText(/^\d+\.\d+\.\d+\.\d+$/).textContent()) ?? ''
  await expect(drawer.getByRole('button', { name: m.copy_one({ what: ip }) })).toBeVisible()
  await expectAccessible(page, 'the drawer of a row')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(row).toBeFocused()
})

/** Opens web-eu1 as the portal would answer with these attributes. */
async function openAs(page: Page, attributes: object): Promise<void> {
  await openDashboard(page)
  const panels = await (await api(page)).list('panels')
  const id = panels.find((panel) => panel.attributes.name === 'web-eu1')?.id
  await page.route(`**/api/v1/panels/${id}`, async (route) => {
    const answer = await route.fetch()
    const document = await answer.json()
    Object.assign(document.data.attributes, attributes)
    await route.fulfill({ response: answer, json: document })
  })
  await page.goto(`/${id}`)
}

test('a degraded panel says why in its head', async ({ page }) => {
  const resource = { kind: 'server', name: 'web-1', status: 'degraded', cpu_percent: 94.4 }
  await openAs(page, { status: 'degraded', status_reason: { code: 'resource', others: 1, resource } })
  await expect(page.getByText('web-1 at 94% CPU, 1 more has problems')).toBeVisible()
})

test('a panel whose engine makes no links leads to the page where people sign in by themselves', async ({
  page,
}) => {
  await openAs(page, { status: 'active', login_url: 'https://panel.example/login', progress: 40 })
  const entrance = page.getByRole('link', { name: m.connect_sign_in_to({ name: 'web-eu1' }) })
  await expect(entrance).toHaveAttribute('href', 'https://panel.example/login')
  await expect(page.getByText('40%')).toBeVisible()
  await expectAccessible(page, 'a panel with a page to sign in')
})

test('a ticket about a panel begins with its facts, and does not stay as a draft unless something is written', async ({
  page,
}) => {
  const strip = await openPanel(page, 'web-eu1')
  await strip.getByRole('link', { name: 'Open a ticket about this' }).click()
  await expect(page.getByLabel('Panel', { exact: true })).toHaveValue(/^\d+$/)
  await expect(page.getByLabel('Subject')).toHaveValue(/^(?:web-eu1: Degraded, .+)?$/)
  const description = page.getByLabel('Description')
  await expect(description).toHaveValue(/^- Panel: web-eu1\n- Status: .+\n- Plan: .+\n- Region: .+\n/)
  await page.goto('/add-ticket')
  await expect(description).toHaveValue('')
  await page.goBack()
  await description.press('ControlOrMeta+End')
  await description.pressSequentially('It is slow.')
  await page.goto('/add-ticket')
  await expect(description).toHaveValue(/^- Panel: web-eu1\n.*It is slow\./s)
})

test('a guest opens a ticket about a shared panel in the account of its owner', async ({ page }) => {
  const strip = await openPanel(page, 'web-eu1', 'mihai@demo.test')
  await expect(strip.getByText(m.panel_cost())).toHaveCount(0)
  await expect(strip.getByText(m.panel_people())).toHaveCount(0)
  // Without the use, a limit alone would read as what is there.
  await expect(page.getByRole('definition').filter({ hasText: m.limit_up_to({ allowed: 25 }) })).toBeVisible()
  await strip.getByRole('link', { name: 'Open a ticket about this' }).click()
  const chosen = (label: string) =>
    page.getByLabel(label, { exact: true }).getByRole('option', { selected: true })
  await expect(chosen('Panel')).toHaveText('web-eu1')
  await expect(chosen('Account')).toHaveText('Ana Marin')
})

test('the activity of a panel says who made and renamed it, and when', async ({ page }) => {
  await openDashboard(page, 'hans@demo.test')
  await page.getByRole('button', { name: 'Add panel' }).first().click()
  await page.getByLabel('Panel name').fill('logbook')
  await page.getByRole('dialog').getByRole('button', { name: 'Add panel' }).click()
  await page.getByRole('link', { name: 'logbook', exact: true }).click()
  await page.getByRole('tab', { name: m.panel_activity() }).click()
  const acts = page.getByRole('list', { name: m.panel_activity() }).getByRole('listitem')
  await expect(acts).toHaveText([/^Panel addedYou.*(?:second|minute|now)/])
  const id = new URL(page.url()).pathname.slice(1)
  await (await api(page)).update('panels', id, { name: 'diary' })
  await page.reload()
  await expect(page.getByRole('tab', { name: m.panel_activity() })).toHaveAttribute('aria-selected', 'true')
  await expect(acts).toHaveText([/^Renamed from “logbook” to “diary”You/, /^Panel addedYou/])
})

for (const look of looks) {
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('an opened panel and its activity break no rule of accessibility and fit the page', async ({
      page,
    }) => {
      const strip = await openPanel(page, 'web-eu1')
      await expect(strip.getByRole('link', { name: /^\$/ })).toBeVisible()
      await expectAccessible(page, 'panel')
      await page.getByRole('tab', { name: m.panel_activity() }).click()
      await expect(page.getByText('Panel added')).toBeVisible()
      await expectAccessible(page, 'panel activity')
      const sideways = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(await sideways()).toBeLessThanOrEqual(0)
    })
  })
}
