import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const admin = 'admin@demo.test'
const support = 'support@demo.test'

const home = (page: Page, words: (text: () => string) => string = (text) => text()) =>
  page.getByRole('heading', { level: 1, name: words(m.desk_home_title) })

test('staff who sign in arrive at the desk, and come back to it after their session ended', async ({
  page,
}) => {
  await page.goto(href('login'))
  await page.getByLabel(m.email(), { exact: true }).fill(admin)
  await page.getByLabel(m.password(), { exact: true }).fill('portico-demo')
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(home(page)).toBeVisible()
  await expect(page).toHaveURL(/\/desk\/?$/)
  await expect(page).toHaveTitle('Home · Desk · Carpat Cloud')
  await page.getByRole('button', { name: m.sign_out() }).click()
  await expect(page.getByRole('heading', { name: m.login_heading() })).toBeVisible()
  await page.goto(`${deskHome}?x=1`)
  await expect(page).toHaveURL(/\/login\?next=%2Fdesk%2F%3Fx%3D1$/)
  await page.getByLabel(m.email(), { exact: true }).fill(admin)
  await page.getByLabel(m.password(), { exact: true }).fill('portico-demo')
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(home(page)).toBeVisible()
  await expect(page).toHaveURL(/\/desk\/\?x=1$/)
})

test('clients find no desk', async ({ page }) => {
  await signIn(page)
  await page.goto(deskHome)
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('open work is counted with links to it, and only those who see money see the figures', async ({
  page,
}) => {
  // Other specs see it too, in Romanian.
  const about = `ticket file ${crypto.randomUUID()}`
  await inDatabase(`insert into staff_alerts (kind, about, detail) values ('file_missing', $1, '{}')`, about)
  await signIn(page, admin)
  await page.goto(deskHome)
  const needs = page.getByRole('region', { name: m.desk_needs_title() })
  await expect(needs.getByRole('listitem').filter({ hasText: /\d+ alerts? to resolve/ })).toContainText(
    'Urgent',
  )
  const figures = page.getByRole('region', { name: m.desk_figures_title() })
  await expect(figures.getByRole('heading', { level: 3, name: 'USD' })).toBeVisible()
  await expect(figures.getByText(m.desk_figure_received()).first()).toBeVisible()
  await expect(figures.getByText(m.desk_report_mrr()).first()).toBeVisible()
  await inDatabase('update staff_alerts set resolved_at = now() where about = $1', about)

  await signIn(page, support)
  await page.goto(deskHome)
  await expect(needs.getByRole('link', { name: /unassigned ticket/ })).toBeVisible()
  await expect(figures).toHaveCount(0)
  await needs.getByRole('link', { name: /unassigned ticket/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
  await expect(page.getByRole('combobox', { name: m.ticket_assigned() })).toHaveValue('unassigned')
  const waiting = page.waitForResponse(/filter%5Bwaiting%5D=overdue|filter\[waiting\]=overdue/)
  await page.getByRole('combobox', { name: m.ticket_assigned() }).selectOption('overdue')
  expect((await waiting).status()).toBe(200)
  await expect(page).toHaveURL(/assigned=overdue/)
})

test('keys lead through the desk, and a list says which', async ({ page }) => {
  await signIn(page, admin)
  await page.goto(deskHome)
  await expect(home(page)).toBeVisible()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: m.keys_title() })
  await expect(list.getByText(m.desk_key_home())).toBeVisible()
  await list.getByRole('button', { name: m.close() }).click()
  await expect(list).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(`${deskHome}/tickets`)
})

test('an address that the desk does not have says so', async ({ page }) => {
  await signIn(page, admin)
  await page.goto(`${deskHome}/nothing`)
  await expect(page.getByRole('heading', { level: 1, name: m.not_found_title() })).toBeVisible()
  await page.getByRole('link', { name: m.desk_to_home() }).click()
  await expect(home(page)).toBeVisible()
})

test('a client is found in the list, and their page shows what each role may see', async ({ page }) => {
  await signIn(page, admin)
  await page.goto(deskHome)
  await page
    .getByRole('navigation', { name: m.desk(), exact: true })
    .getByRole('link', { name: m.desk_clients_title() })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: m.desk_clients_title() })).toBeVisible()
  await page.getByRole('searchbox', { name: m.search() }).fill('ana mar')
  const row = page.getByRole('row').filter({ hasText: 'ana@demo.test' })
  await expect(page.getByRole('row')).toHaveCount(2)
  await row.getByRole('link').click()
  await expect(page.getByRole('table', { name: m.desk_tab_panels() }).getByText('web-eu1')).toBeVisible()
  const parts = page.getByRole('navigation', { name: m.desk_client_title() })
  await parts.getByRole('link', { name: m.desk_tab_documents() }).click()
  await expect(
    page.getByRole('table', { name: m.desk_tab_documents() }).getByRole('row').nth(1),
  ).toBeVisible()
  await expect(parts.getByRole('link', { name: m.desk_tab_documents() })).toHaveAttribute(
    'aria-current',
    'page',
  )
  for (const [tab, table] of [
    [m.desk_tab_money(), m.desk_tab_money()],
    [m.desk_tab_payments(), m.desk_tab_payments()],
    [m.desk_tab_tickets(), m.desk_tab_tickets()],
  ] as const) {
    await parts.getByRole('link', { name: tab }).click()
    await expect(page.getByRole('table', { name: table }).getByRole('row').nth(1)).toBeVisible()
  }
  await expect(parts.getByRole('link', { name: m.desk_tab_log() })).toBeVisible()

  const address = page.url()
  await signIn(page, support)
  await page.goto(address)
  await expect(page.getByRole('table', { name: m.desk_tab_tickets() })).toBeVisible()
  await expect(parts.getByRole('link', { name: m.desk_tab_panels() })).toBeVisible()
  await expect(parts.getByRole('link', { name: m.desk_tab_log() })).toHaveCount(0)
  await page.goto(address.replace(/tickets$/, 'log'))
  await expect(page.getByRole('heading', { level: 1, name: m.not_found_title() })).toBeVisible()
})

test('the list of clients narrows to those who owe, and offers to clear what finds nothing', async ({
  page,
}) => {
  await signIn(page, admin)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent('no such client')}`)
  const show = page.getByRole('combobox', { name: m.desk_clients_show() })
  await show.selectOption(m.desk_clients_closed())
  await expect(page).toHaveURL(/show=closed/)
  await page.getByRole('button', { name: m.filters_clear() }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await show.selectOption(m.desk_clients_owing())
  await expect(page.getByRole('cell', { name: /^Owes since / }).first()).toBeVisible()
})

test('the search finds by the keyboard alone, and leads to the part of the client', async ({ page }) => {
  await signIn(page, admin)
  await page.goto(deskHome)
  await expect(home(page)).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: m.search() })
  await expect(search.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('web-eu1')
  await expect(search.getByRole('link', { name: /web-eu1/ }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/desk\/clients\/\d+\/panels$/)
  await expect(search).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await search.getByRole('searchbox').fill('no such thing at all')
  await expect(search.getByText(m.nothing_found())).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the desk is accessible, in Romanian too, with its drawer', async ({ page, baseURL }) => {
      await signIn(page, admin)
      await page.goto(deskHome)
      await expect(page.getByRole('region', { name: m.desk_figures_title() })).toBeVisible()
      await expectAccessible(page, 'the home of the desk')
      if (look.width < 900) {
        await page.getByRole('button', { name: m.menu_open() }).click()
        const drawer = page.getByRole('dialog', { name: m.desk() })
        await expect(drawer.getByRole('link', { name: m.tickets_title() })).toBeVisible()
        await expectAccessible(page, 'the drawer of the desk')
      }
      // The clients of other tests may fill the first page.
      await page.goto(`${deskHome}/clients?search=Lumen`)
      await page.getByRole('link', { name: 'Lumen Studio SRL' }).click()
      await expect(page.getByRole('table', { name: m.desk_tab_panels() }).getByText('web-eu1')).toBeVisible()
      await expectAccessible(page, 'the page of a client')
      const ofClient = page.url()
      await page.keyboard.press('/')
      const search = page.getByRole('dialog', { name: m.search() })
      await search.getByRole('searchbox').fill('web')
      await expect(search.getByRole('link').first()).toBeVisible()
      await expectAccessible(page, 'the search of the desk')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(deskHome)
      await expect(home(page, inRomanian)).toBeVisible()
      await expect(page.getByRole('region', { name: inRomanian(m.desk_figures_title) })).toBeVisible()
      await expectRomanian(page, 'the home of the desk')
      await page.goto(ofClient)
      await expect(
        page.getByRole('table', { name: inRomanian(m.desk_tab_panels) }).getByText('web-eu1'),
      ).toBeVisible()
      await expectRomanian(page, 'the page of a client')
      await page.goto(`${deskHome}/clients?search=Lumen`)
      await expect(page.getByRole('link', { name: 'Lumen Studio SRL' })).toBeVisible()
      await expectRomanian(page, 'the list of clients')
      await expectAccessible(page, 'the list of clients')
    })
  })
