import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, openDashboard, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

const dialogOf = (page: Parameters<typeof openDashboard>[0]) =>
  page.getByRole('dialog', { name: m.panel_add() })

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
