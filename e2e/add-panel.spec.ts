import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openDashboard, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { newcomer, signInAs } from './newcomer.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: m.panel_add() })

test('a new person has a panel running after four clicks, and saw its cost before', async ({ page }) => {
  await newcomer(page)
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('radio')).toHaveCount(4)
  await expect(dialog.getByRole('radio', { name: /Old Web 2|Web 9/ })).toHaveCount(0)
  await expect(dialog.getByRole('radio', { name: /^Start \$8\.00 a month/ })).toBeChecked()
  await expect(dialog.getByRole('status')).toHaveText(
    /^\$8\.00 a month · about \$0\.2\d a day, \$0\.01\d? an hour/,
  )
  await dialog.getByRole('radio', { name: /^Web 3/ }).click()
  await expect(dialog.getByRole('status')).toContainText('$24.00 a month')
  // Trial credit is there to be used up.
  await expect(dialog.getByRole('status')).toContainText('your balance lasts until')
  await dialog.getByLabel(m.panel_name()).fill('first')
  await dialog.getByRole('button', { name: m.panel_add() }).click()
  const card = page.getByRole('article', { name: 'first' })
  await expect(card.getByText(/^(Active|Degraded)$/)).toBeVisible({ timeout: 60_000 })
  await expect(card).toContainText('web-3')
})

test('a plan that needs a domain asks for it, and says at the field what is wrong with one', async ({
  page,
}) => {
  await newcomer(page)
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  const dialog = dialogOf(page)
  const domain = dialog.getByLabel(m.plan_domain(), { exact: true })
  await expect(domain).toHaveCount(0)
  await dialog.getByRole('radio', { name: /^Mail 24/ }).click()
  await dialog.getByLabel(m.panel_name()).fill('letters')
  // Its second line moves the button down, from under a press.
  await expect(dialog.getByRole('status')).toContainText('your balance lasts until')
  const add = dialog.getByRole('button', { name: m.panel_add() })
  for (const [typed, said] of [
    ['', 'This panel needs a domain'],
    ['192.0.2.7', 'An IP address is not a domain name'],
    ['co.uk', 'Anyone can register names under co.uk. Enter a domain of your own.'],
  ] as const) {
    await domain.fill(typed)
    await add.click()
    await expect(domain).toHaveAccessibleDescription(said)
  }
  await domain.fill(`Post-${Date.now()}.Example.com`)
  await add.click()
  await expect(page.getByRole('article', { name: 'letters' })).toContainText('mail-24')
})

test('a panel is added by keyboard alone', async ({ page }) => {
  await newcomer(page)
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('radio', { name: /^Start/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^Web 3/ })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('by-keyboard')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'by-keyboard' })).toBeVisible()
})

const permissions = {
  billing: 'denied',
  tickets: 'denied',
  my_workspaces: 'allowed',
  workspaces: [],
  add_panels: 'allowed',
}

/** Shares the account of `owner` with `guest`, who may add panels and does not see the billing. */
async function letAddPanels(owner: Page, guest: Page, email: string): Promise<void> {
  const server = await api(owner)
  const permission = {
    type: 'share-permissions',
    id: await server.create('share-permissions', { permissions }),
  }
  const invited = { first_name: 'Elena', last_name: 'Radu', invited_email: email }
  await server.create('share-invitations', invited, { permission })
  await guest.goto(
    new URL(linkOf(await lastLetter(guest.request, email, /gives you access|invited to share/))).pathname,
  )
  await guest.getByRole('button', { name: m.invitation_accept() }).click()
  await expect(guest.getByRole('dialog', { name: 'Success!' })).toBeVisible()
}

/** Opens the dialog for the workspace that is shared with the guest. */
async function openAsGuest(guest: Page): Promise<void> {
  await guest.goto('/')
  await guest.getByRole('button', { name: m.panel_add_to({ name: m.dashboard_title() }) }).click()
}

const ownList = `with list as (insert into price_lists (code, currency) values ($1, 'USD') returning id),
  price as (insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select list.id, p.id, '[2020-01-01,)', 4 from list, plans p where p.code = 'start')
  insert into client_price_lists select c.id, list.id, '[2020-01-01,)' from list, clients c where c.email = $2`

test('a guest without the billing reads public prices and no balance, and none that the owner agreed', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await newcomer(page)
  const invited = await browser.newPage({ baseURL: baseURL ?? '', locale: 'en-US' })
  const email = await newcomer(invited)
  await letAddPanels(page, invited, email)
  await openAsGuest(invited)
  await expect(dialogOf(invited).getByRole('radio', { name: /^Start \$8\.00 a month/ })).toBeChecked()
  await expect(dialogOf(invited).getByRole('status')).toHaveText(
    /^\$8\.00 a month · about \$0\.2\d a day, \$0\.01\d? an hour$/,
  )
  await invited.context().close()

  await inDatabase(ownList, `own-${crypto.randomUUID()}`, owner)
  // A browser may keep public prices for a minute; this one has none.
  const guest = await browser.newPage({ baseURL: baseURL ?? '', locale: 'en-US' })
  await signInAs(guest, email)
  await openAsGuest(guest)
  const dialog = dialogOf(guest)
  await expect(dialog.getByRole('radio')).toHaveCount(4)
  await expect(dialog.getByRole('status')).toHaveText(m.plan_price_of_owner())
  await expect(dialog).not.toContainText('$')
  await dialog.getByLabel(m.panel_name()).fill('unpriced')
  await dialog.getByRole('button', { name: m.panel_add() }).click()
  await expect(guest.getByRole('article', { name: 'unpriced' })).toBeVisible()
  await guest.context().close()

  // The owner reads the price that was agreed.
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  await expect(dialogOf(page).getByRole('radio', { name: /^Start \$4\.00 a month/ })).toBeChecked()
})

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 360],
] as const)
  test(`the plans to choose from break no rule of accessibility, ${colorScheme} at ${width}`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await openDashboard(page, 'hans@demo.test')
    await page.getByRole('button', { name: m.panel_add() }).first().click()
    await expect(dialogOf(page).getByRole('status')).toContainText('your balance lasts until')
    await expectAccessible(page, 'Add panel')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await context.close()
  })
