import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openDashboard, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer, newcomerWithPanel } from './newcomer.ts'

const start = (page: Page) => page.getByRole('region', { name: m.start() })
const notices = (page: Page) => page.getByRole('complementary', { name: m.account_notices() })

/** The value of one of the four answers. */
const answer = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: name })
    .evaluate((term) => term.nextElementSibling?.textContent)

test('the first steps take the place of two warnings, are ticked when done, and stay hidden', async ({
  page,
}) => {
  const email = await newcomer(page)
  await page.goto('/')
  const steps = start(page).getByRole('listitem')
  await expect(steps).toHaveCount(5)
  await expect(start(page)).toContainText(/Free trial: \d+ days? left/)
  await expect(notices(page)).toHaveCount(0)
  await expect(steps.filter({ hasText: m.start_done() })).toHaveText([`${m.start_email()}${m.start_done()}`])
  await expectAccessible(page, 'first steps')
  await start(page).getByRole('link', { name: m.start_invite() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.manage_permissions_title() })).toBeVisible()
  // On other pages the trial is a notice as before, and nothing is invoiced yet.
  await expect(notices(page)).toContainText(/Free trial/)
  await expect(notices(page)).not.toContainText(m.banner_billing())
  await inDatabase('update clients set two_fa_enabled = 1 where email = $1', email)
  await page.goto('/')
  await expect(steps.filter({ hasText: m.start_done() })).toHaveCount(2)
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await start(page).getByRole('button', { name: m.start_hide() }).click()
  expect((await saved).status()).toBe(200)
  await expect(start(page)).toHaveCount(0)
  await page.reload()
  await expect(notices(page)).toContainText(/Free trial/)
  await expect(start(page)).toHaveCount(0)
})

test('a missing billing address warns as soon as there is a panel to invoice', async ({ page }) => {
  await newcomerWithPanel(page)
  await page.goto(href('tickets'))
  await expect(notices(page)).toContainText(m.banner_billing())
})

test('the four answers name what is wrong, the money, the cost and what waits', async ({ page }) => {
  await openDashboard(page)
  await expect.poll(() => answer(page, m.money())).toMatch(/^\$\d+\.\d\d$/)
  await expect(page.getByRole('link', { name: m.money_automatic() })).toHaveAttribute('href', href('billing'))
  await expect.poll(() => answer(page, m.month_cost())).toMatch(/^\$\d+\.\d\d$/)
  await expect(page.getByRole('link', { name: /same days of/ })).toHaveAttribute('href', /workspace=\d+/)
  const { tickets, invitations, cards } = await (await api(page)).ask('clients/-actions/waiting?payload={}')
  await expect.poll(() => answer(page, m.waits())).toBe(String(tickets + invitations + cards))
  await page.getByRole('link', { name: m.waits_tickets({ count: tickets }) }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
  await expect(page.getByRole('combobox', { name: m.column_status() })).toHaveValue('awaiting_client')
})

test('an invitation and a card that ends soon wait for the person, beside their tickets', async ({
  page,
}) => {
  const owner = await newcomer(page)
  await page.context().clearCookies()
  const email = await newcomerWithPanel(page)
  await inDatabase(
    `with permission as (
       insert into share_permissions (inviting_client_id, billing) select id, 'allowed' from clients where email = $1
       returning id, inviting_client_id)
     insert into share_invitations (client_id, permission_id, first_name, last_name, invited_email, link_expires_at, last_sent_at)
     select inviting_client_id, id, 'Maria', 'Ionescu', $2, now() + interval '7 days', now() from permission`,
    owner,
    email,
  )
  await inDatabase(
    `insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
     select id, 'sandbox', 'pm_soon', 'cus_soon', 'visa', '4242', extract(month from clock_today()),
       extract(year from clock_today()), 'soon' from clients where email = $1`,
    email,
  )
  await page.goto('/')
  await expect.poll(() => answer(page, m.waits())).toBe('2')
  const main = page.getByRole('main')
  await expect(main.getByText(m.waits_invitations({ count: 1 }))).toBeVisible()
  await main.getByRole('link', { name: m.waits_cards({ count: 1 }) }).click()
  await expect(page.getByRole('tab', { name: m.billing_methods(), selected: true })).toBeVisible()
  await expect(page.getByRole('list', { name: m.cards_title() })).toContainText(m.card_ends_soon())
})

test('a line of costs is hidden from screen readers, who hear its figures beside it', async ({ page }) => {
  await openDashboard(page)
  await expect(page.getByRole('link', { name: /same days of/ })).toBeVisible()
  const card = page.getByRole('article', { name: 'web-eu1' })
  await expect(card.getByText(/^This month\$\d+\.\d\d$/)).toBeVisible()
  const lines = () =>
    page
      .getByRole('main')
      .evaluate((main) =>
        [...main.querySelectorAll('svg:has(> polyline[points*=" "])')].map((line) => line.ariaHidden),
      )
  await expect.poll(async () => (await lines()).length).toBeGreaterThan(1)
  expect(new Set(await lines())).toEqual(new Set(['true']))
})

test('the card of a panel that is being made says how far it is', async ({ page }) => {
  const email = await newcomerWithPanel(page)
  await inDatabase(
    `update panels set status = 'provisioning', progress = 40 where client_id = (select id from clients where email = $1)`,
    email,
  )
  await page.goto('/')
  const words = `${m.status_provisioning()}, 40%`
  await expect(page.getByRole('article', { name: 'broken' }).getByText(words)).toBeVisible()
  await page.getByRole('link', { name: 'broken', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'broken' })).toBeVisible()
  await expect(page.getByText(words)).toBeVisible()
})

test('a panel in trouble is named in the health of the workspace, and leads to itself', async ({ page }) => {
  await newcomerWithPanel(page)
  await page.goto('/')
  await expect.poll(() => answer(page, m.health())).toBe(m.health_bad({ count: 1, total: 1 }))
  await page.getByRole('link', { name: /^broken: / }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'broken' })).toBeVisible()
})

test('someone in debt is led from their money to the payment', async ({ page }) => {
  await openDashboard(page, 'ioana@demo.test')
  await expect.poll(() => answer(page, m.money())).toMatch(/^-€\d+\.\d\d$/)
  await page.getByRole('link', { name: m.money_owed() }).click()
  await expect(page).toHaveURL(href('payment'))
})

test('a guest without panels of their own sees the shared ones first, and an owner in one line that there are none', async ({
  page,
}) => {
  await openDashboard(page, 'mihai@demo.test')
  const headings = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(headings.first()).toHaveText(m.shared_title())
  await expect(page.getByRole('article', { name: 'shop-cluster' })).toBeVisible()
  await expect(notices(page)).toHaveCount(0)
  await openDashboard(page)
  await expect(page.getByText(m.shared_empty_title())).toBeVisible()
  await expect(page.getByRole('heading', { name: m.shared_title() })).toHaveCount(0)
})

test('the whole card of a panel is its link, but for its buttons', async ({ page }) => {
  await openDashboard(page)
  const card = page.getByRole('article', { name: 'mail-eu1' })
  await expect(card.getByRole('link')).toHaveCount(1)
  // What it shows arrives in its place, so the card is as high as it will be.
  const closed = await card.boundingBox()
  await card.getByRole('button', { name: m.panel_menu({ name: 'mail-eu1' }) }).click()
  await expect(page.getByRole('menuitem', { name: m.panel_edit() })).toBeVisible()
  // The menu lies over the card and takes no place in it.
  expect(await card.boundingBox()).toEqual(closed)
  await page.getByRole('menuitem', { name: m.panel_edit() }).click({ trial: true })
  await page.keyboard.press('Escape')
  // While it fades it still lies over the card.
  await expect(page.getByRole('menu')).toHaveCount(0)
  // The words of the card lie under its link.
  const cost = await card.getByText(/^This month/).boundingBox()
  await page.mouse.click((cost?.x ?? 0) + 5, (cost?.y ?? 0) + 5)
  await expect(page.getByRole('heading', { level: 1, name: 'mail-eu1' })).toBeVisible()
})

test('the newest notifications are on the dashboard, with a way to all of them', async ({ page }) => {
  await openDashboard(page)
  const news = page.getByRole('region', { name: m.notifications() })
  await expect(news.getByRole('listitem')).toHaveCount(4)
  await news.getByRole('button', { name: m.notifications_all() }).click()
  const all = page.getByRole('dialog', { name: m.notifications() }).getByRole('listitem')
  await expect.poll(() => all.count()).toBeGreaterThan(4)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the dashboard is for everybody', async ({ page }) => {
      await openDashboard(page)
      await expect(page.getByRole('link', { name: /same days of/ })).toBeVisible()
      await expect(page.getByRole('region', { name: m.notifications() }).getByRole('listitem')).toHaveCount(4)
      await expectAccessible(page, 'dashboard')
    })
  })
