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
  await expect(page).toHaveTitle('Home · Desk · Portico')
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
  await inDatabase(
    `insert into staff_alerts (kind, about, detail) values ('file_missing', 'e2e of the desk', '{}')`,
  )
  await signIn(page, admin)
  await page.goto(deskHome)
  const needs = page.getByRole('region', { name: m.desk_needs_title() })
  await expect(needs.getByRole('listitem').filter({ hasText: /\d+ alerts? to decide/ })).toContainText(
    'Urgent',
  )
  const figures = page.getByRole('region', { name: m.desk_figures_title() })
  await expect(figures.getByRole('heading', { level: 3, name: 'USD' })).toBeVisible()
  await expect(figures.getByText(m.desk_figure_received()).first()).toBeVisible()
  await inDatabase(`update staff_alerts set resolved_at = now() where about = 'e2e of the desk'`)

  await signIn(page, support)
  await page.goto(deskHome)
  await expect(needs.getByRole('link', { name: /unassigned ticket/ })).toBeVisible()
  await expect(figures).toHaveCount(0)
  await needs.getByRole('link', { name: /unassigned ticket/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
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
  await expect(page).toHaveURL(/\/tickets$/)
})

test('an address that the desk does not have says so', async ({ page }) => {
  await signIn(page, admin)
  await page.goto(`${deskHome}/nothing`)
  await expect(page.getByRole('heading', { level: 1, name: m.not_found_title() })).toBeVisible()
  await page.getByRole('link', { name: m.desk_to_home() }).click()
  await expect(home(page)).toBeVisible()
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
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(deskHome)
      await expect(home(page, inRomanian)).toBeVisible()
      await expect(page.getByRole('region', { name: inRomanian(m.desk_figures_title) })).toBeVisible()
      await expectRomanian(page, 'the home of the desk')
    })
  })
