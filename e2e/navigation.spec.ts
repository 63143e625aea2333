import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, signIn, test } from './fixtures.ts'
import { money } from './money.ts'
import { newcomer } from './newcomer.ts'

const navigation = (page: Page) => page.getByRole('navigation', { name: m.nav() })
const part = (page: Page, name: string) => navigation(page).getByRole('link', { name })
/** How many links are marked as the current one. */
const currents = (page: Page) =>
  navigation(page)
    .getByRole('link')
    .evaluateAll((links) => links.filter(({ ariaCurrent }) => ariaCurrent !== null).length)
const chip = (page: Page) => page.getByRole('banner').getByRole('link', { name: m.chip_balance() })

test('the links of the bar lead to the parts of the portal, and the current one is marked', async ({
  page,
}) => {
  await openDashboard(page)
  await expect(part(page, m.nav_workspace())).toHaveAttribute('aria-current', 'page')
  for (const [name, title] of [
    [m.billing_title(), m.billing_title()],
    [m.nav_usage(), m.usages_title()],
    [m.tickets_title(), m.tickets_title()],
  ] as const) {
    await part(page, name).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
    await expect(part(page, name)).toHaveAttribute('aria-current', 'page')
    expect(await currents(page)).toBe(1)
  }
  await page.getByRole('rowheader').getByRole('link').first().click()
  await expect(page).toHaveURL(/view-ticket/)
  await expect(part(page, m.tickets_title())).toHaveAttribute('aria-current', 'true')
  await page.goto(href('manage-account'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await currents(page)).toBe(0)
})

test('the bar counts the tickets that wait for an answer, those of other accounts too', async ({ page }) => {
  for (const email of ['ana@demo.test', 'mihai@demo.test']) {
    await openDashboard(page, email)
    const { tickets } = await (await api(page)).ask('clients/-actions/waiting?payload={}')
    expect(tickets).toBeGreaterThan(0)
    await expect(part(page, m.tickets_waiting({ count: tickets }))).toHaveText(
      new RegExp(`^${m.tickets_title()}${tickets}`),
    )
  }
})

test('the balance says how long it lasts, that it is automatic, or that it is to be paid, and opens Billing', async ({
  page,
}) => {
  for (const [email, words] of [
    ['ana@demo.test', new RegExp(`${m.chip_automatic()}$`)],
    ['hans@demo.test', /€\d+\.\d\d · \d+ days?$/],
    ['ioana@demo.test', new RegExp(`-€\\d+\\.\\d\\d · ${m.chip_pay()}$`)],
  ] as const) {
    await openDashboard(page, email)
    await expect(chip(page), email).toHaveAccessibleName(words)
  }
  await openDashboard(page, 'hans@demo.test')
  // What is left after the usage of today, as the pages of money say it.
  const [profile] = await (await api(page)).list('billing-profiles')
  await expect(chip(page)).toContainText(money(Number(profile?.attributes.available), 'EUR'))
  await chip(page).click()
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeVisible()
})

/** The account's balance ends after so many days, as if its use were another. */
const lasting = (page: Page, days: number) =>
  page.route('**/api/v1/billing-profiles*', async (route) => {
    const answer = await route.fetch()
    const json = await answer.json()
    for (const { attributes } of json.data) {
      const end = new Date(Date.parse(attributes.as_of) + days * 86_400_000)
      attributes.exhaustion_date = end.toISOString().slice(0, 10)
    }
    await route.fulfill({ response: answer, json })
  })

test('the balance is plain for a week or more, amber for less, and red below zero', async ({ page }) => {
  const ink = { plain: 'rgb(20, 24, 31)', amber: 'rgb(138, 83, 0)', red: 'rgb(179, 38, 30)' }
  for (const [days, colour] of [
    [7, ink.plain],
    [6, ink.amber],
  ] as const) {
    await lasting(page, days)
    await openDashboard(page, 'hans@demo.test')
    await expect(chip(page)).toContainText(`${days} days`)
    await expect(chip(page)).toHaveCSS('color', colour)
    await page.unrouteAll({ behavior: 'wait' })
  }
  await openDashboard(page, 'ioana@demo.test')
  await expect(chip(page)).toHaveCSS('color', ink.red)
})

test('the bell counts what is unread, and the dot of a sent invitation has no colour of a fault', async ({
  page,
}) => {
  await openDashboard(page)
  const { notifications, sent } = await (await api(page)).ask('clients/-actions/waiting?payload={}')
  expect(notifications).toBeGreaterThan(0)
  expect(sent).toBeGreaterThan(0)
  const bar = page.getByRole('banner')
  const bell = bar.getByRole('button', { name: m.notifications() })
  await expect(bell).toHaveAccessibleName(new RegExp(m.notifications_unread({ count: notifications })))
  await expect(bell.getByText(String(notifications), { exact: true })).toBeVisible()
  const team = bar.getByRole('button', { name: m.share_access() })
  await expect(team).toHaveAccessibleName(new RegExp(m.share_waiting()))
  const grounds = await team.evaluate((button) =>
    [...button.querySelectorAll('span')]
      .filter((span) => span.textContent === '')
      .map((span) => getComputedStyle(span).backgroundColor),
  )
  // The strong line of the light theme.
  expect(grounds).toEqual(['rgb(134, 142, 155)'])
})

test('staff have neither a balance nor the pages of customers in the bar', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(href('tickets'))
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
  await expect(navigation(page)).toHaveCount(0)
  await expect(chip(page)).toHaveCount(0)
})

test('a narrow bar has icons, whose names appear for the pointer and the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await openDashboard(page)
  const name = navigation(page).getByText(m.nav_usage())
  await expect(name).toHaveCSS('opacity', '0')
  await part(page, m.nav_usage()).hover()
  await expect(name).toHaveCSS('opacity', '1')
  await page.mouse.move(0, 400)
  await expect(name).toHaveCSS('opacity', '0')
  await part(page, m.billing_title()).focus()
  await page.keyboard.press('Tab')
  await expect(name).toHaveCSS('opacity', '1')
  await expectAccessible(page, 'a narrow bar')
})

test('a phone has the parts at its foot, the bell above, and the rest behind the person', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openDashboard(page)
  const foot = await navigation(page).boundingBox()
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBe(740)
  await expect(navigation(page).getByRole('link')).toHaveCount(4)
  await expect(page.getByRole('banner').getByRole('button', { name: m.notifications() })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: m.share_access() })).toBeHidden()
  await part(page, m.nav_usage()).click()
  await expect(page.getByRole('heading', { level: 1, name: m.usages_title() })).toBeVisible()
  await page.getByRole('button', { name: m.menu_open() }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: m.share_access() })).toBeVisible()
  await expectAccessible(page, 'the sheet behind the person')
  await sheet.getByRole('link', { name: m.chip_balance() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeVisible()
  await expect(sheet).toBeHidden()
  // The end of a page can be scrolled clear of the parts.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const ribbon = page.getByRole('complementary', { name: m.demo_ribbon() })
  await expect(ribbon.getByRole('link', { name: m.outbox_title() })).toBeVisible()
  const demo = await ribbon.boundingBox()
  expect((demo?.y ?? 0) + (demo?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
})

test('on pages with a filter by workspace the switcher sets it, and it can be removed', async ({ page }) => {
  await newcomer(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await (await api(page)).create('projects', { name: 'Second' })
  await page.goto(href('tickets'))
  const switcher = page.getByRole('banner').getByRole('button', { name: /^Workspace:/ })
  await expect(switcher).toContainText(m.workspaces_all())
  await switcher.click()
  await page.getByRole('menuitem', { name: 'Second' }).click()
  await expect(page).toHaveURL(/\/tickets\?workspace=\d+$/)
  await expect(switcher).toContainText('Second')
  const filter = page.getByRole('combobox', { name: m.workspace() })
  await expect(filter.getByRole('option', { name: 'Second' })).toHaveJSProperty('selected', true)
  await page.getByRole('button', { name: m.workspaces_all_show() }).click()
  await expect(page).toHaveURL(href('tickets'))
  await expect(switcher).toContainText(m.workspaces_all())
  await part(page, m.nav_usage()).click()
  await expect(page.getByRole('heading', { level: 1, name: m.usages_title() })).toBeVisible()
  await switcher.click()
  await page.getByRole('menuitem', { name: m.dashboard_title() }).click()
  await expect(page).toHaveURL(/\/usages\?workspace=\d+$/)
  // The choice is the current workspace on all other pages.
  await part(page, m.nav_workspace()).click()
  await expect(switcher).toContainText(m.dashboard_title())
})

for (const width of [1280, 360])
  test(`the pages about the team keep the person’s menu and a way home, ${width} pixels wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await signIn(page)
    for (const name of ['team-members', 'delegate-access'] as const) {
      await page.goto(href(name))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const bar = page.getByRole('banner')
      await bar.getByRole('button', { name: m.user_menu() }).click()
      await expect(page.getByRole('menuitem', { name: m.sign_out() })).toBeVisible()
      await page.getByRole('menuitem', { name: m.billing_title(), exact: true }).click()
      await expect(page).toHaveURL(href('billing'))
      await page.goto(href(name))
      await bar.getByRole('link', { name: m.to_dashboard() }).click()
      await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
    }
  })
