import type { Locator, Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { ana, expect, openDashboard, password, test } from './fixtures.ts'
import { payer, testCard } from './payer.ts'

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator, most = 25): Promise<void> {
  for (let press = 0; press < most; press++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`The focus did not come to ${target} with ${most} presses of Tab.`)
}

/** Comes to something by Tab and presses Enter on it. */
async function enter(page: Page, target: Locator, most = 40): Promise<void> {
  await expect(target).toBeVisible()
  await tabTo(page, target, most)
  await page.keyboard.press('Enter')
}

/** Comes to a field by Tab and types in it, in the place of what is there. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole('textbox', { name: label }), 40)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test('signing in works with the keyboard alone', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
  await tabTo(page, page.getByLabel(m.email(), { exact: true }))
  await page.keyboard.type(ana)
  await tabTo(page, page.getByLabel(m.password(), { exact: true }), 1)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('the skip link leads past the bar', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: m.skip_to_content() })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})

test('a dialog keeps the focus inside, closes by Escape, and gives the focus back', async ({ page }) => {
  await openDashboard(page)
  const opener = page.getByRole('main').getByRole('button', { name: m.workspace_add() })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: m.workspace_add() })
  await expect(dialog.getByLabel(m.workspace_name())).toBeFocused()
  for (const back of [false, true]) {
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the palette is walked by arrows, and gives the focus back when it is left', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const before = page.getByRole('link', { name: m.logo() })
  await expect(before).toBeFocused()
  await page.keyboard.press('Control+k')
  const search = page.getByPlaceholder(m.palette_placeholder())
  await expect(search).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await expect(before).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(search).toBeFocused()
  await page.keyboard.type('bill')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^Billing/ })).toBeVisible()
})

test('a panel’s tabs are changed by arrows', async ({ page }) => {
  await openDashboard(page)
  await tabTo(page, page.getByRole('link', { name: 'web-eu1', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'web-eu1' })).toBeFocused()
  await tabTo(page, page.getByRole('tab', { name: /^Single Servers/ }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: /^Clusters/ })).toBeFocused()
  await expect(page.getByText(m.clusters_empty_title())).toBeVisible()
})

test('shortcuts navigate, a dialog lists them, and they can be turned off', async ({ page }) => {
  await openDashboard(page)
  const dashboard = page.getByRole('heading', { level: 1, name: m.dashboard_title() })
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  // Shortcuts are ignored while typing.
  await page.keyboard.type('g t?')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toHaveValue('g t?')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.type('gt')
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeFocused()
  await page.keyboard.type('gb')
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeFocused()
  await page.keyboard.type('gd')
  await expect(dashboard).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'web-eu1', exact: true }).click()
  await expect(page.getByRole('searchbox')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: m.keys_title() })
  await expect(list).toContainText(m.key_tickets())
  await list.getByRole('checkbox', { name: m.keys_letters() }).click()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await page.keyboard.type('gd')
  await page.keyboard.press('?')
  await expect(list).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'web-eu1' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(m.keys_title())
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(list).toBeVisible()
})

test('after a refused payment the button keeps the focus, and a new card is where one goes on', async ({
  page,
}) => {
  await payer(page)
  await page.goto('/payment?amount=20')
  const addCard = async (number: string) => {
    await enter(page, page.getByRole('button', { name: m.test_card_use_one({ number }) }))
    await type(page, m.card_expiry(), '1240')
    await type(page, m.card_cvc(), '123')
    await page.keyboard.press('Enter')
  }
  await addCard(testCard.declinesLater)
  const card = page.getByRole('combobox', { name: m.pay_card() })
  await expect(card).toBeFocused()
  const pay = page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) })
  await enter(page, pay)
  const refused = page.getByRole('alert').getByText(m.refused_declined())
  await expect(refused).toBeVisible()
  await expect(pay).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(card).toBeFocused()
  await page.keyboard.press('End')
  await expect(refused).toHaveCount(0)
  await addCard(testCard.works)
  await expect(card).toBeFocused()
  await expect(card.getByRole('option', { name: /4242/ })).toHaveJSProperty('selected', true)
  await enter(page, pay)
  await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
})

test('adding a workspace, inviting, opening a ticket and paying work with the keyboard alone', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await payer(page)
  await page.goto('/')
  await enter(page, page.getByRole('main').getByRole('button', { name: m.workspace_add() }))
  await expect(page.getByRole('dialog').getByLabel(m.workspace_name())).toBeFocused()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Workspace:/ })).toContainText('By keys')

  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  await page.keyboard.type(m.manage_permissions_title())
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: m.manage_permissions_title() })).toBeFocused()
  await type(page, m.first_name(), 'Elena')
  await type(page, m.last_name(), 'Radu')
  await type(page, m.email(), `guest-${crypto.randomUUID()}@example.com`)
  await tabTo(page, page.getByRole('radio', { name: m.preset_developer() }))
  await page.keyboard.press('Space')
  await enter(page, page.getByRole('button', { name: m.invite_send() }))
  await expect(page.getByText('Elena Radu')).toBeVisible()
  await enter(page, page.getByRole('link', { name: m.logo() }))
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()

  await page.keyboard.type('gt')
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeFocused()
  await enter(page, page.getByRole('link', { name: m.tickets_open() }).first())
  await expect(page.getByRole('heading', { level: 1, name: m.add_ticket_title() })).toBeFocused()
  await type(page, m.ticket_subject(), 'Written without a mouse')
  await type(page, m.ticket_description(), 'All of it')
  await enter(page, page.getByRole('button', { name: m.ticket_submit() }))
  await expect(page.getByRole('heading', { level: 1, name: 'Written without a mouse' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder(m.palette_placeholder())).toBeFocused()
  await page.keyboard.type(m.payment_title())
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await enter(page, page.getByRole('button', { name: m.test_card_use_one({ number: testCard.works }) }))
  await type(page, m.card_expiry(), '1240')
  await type(page, m.card_cvc(), '123')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: m.pay_card() })).toBeVisible()
  await type(page, m.payment_amount(), '20')
  await enter(page, page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) }))
  await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
})
