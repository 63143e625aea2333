import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { section, turnTo } from './account-page.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { newcomer, newcomerWithPanel } from './newcomer.ts'
import { refusal } from './refusal.ts'
import { inRomanian } from './romanian.ts'

async function open(page: Page, hash = ''): Promise<void> {
  await page.goto(`${href('manage-account')}${hash}`)
  await expect(page.getByRole('heading', { level: 1, name: m.manage_account_title() })).toBeVisible()
}

test('a name is changed, by its rules, and the bar follows', async ({ page }) => {
  await newcomer(page)
  await open(page)
  const personal = section(page, m.account_personal())
  const first = personal.getByLabel(m.first_name())
  await expect(personal.getByRole('button', { name: m.save() })).toBeDisabled()
  await first.fill(' ')
  await personal.getByLabel(m.last_name()).fill('Popescu')
  await personal.getByRole('button', { name: m.save() }).click()
  await expect(first).toHaveAccessibleDescription(refusal('first_name_required'))
  await expect(first).toBeFocused()
  await first.fill('  Ioana ')
  await personal.getByLabel(m.company_url()).fill('https://example.com')
  await first.press('Enter')
  await expect(page.getByText(m.personal_saved())).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account menu of Ioana Popescu' })).toBeVisible()
  await expect(personal.getByRole('button', { name: m.save() })).toBeDisabled()
  await page.reload()
  await expect(first).toHaveValue('Ioana')
  await expect(personal.getByLabel(m.company_url())).toHaveValue('https://example.com')
})

test('a refusal of the server is shown under its field, and the input stays', async ({ page }) => {
  await newcomer(page)
  await open(page)
  const personal = section(page, m.account_personal())
  const refusal = { status: '422', code: 'validation', detail: 'No such name is known.' }
  const errors = [{ ...refusal, source: { pointer: '/data/attributes/last_name' } }]
  await page.route('**/api/v1/clients/*', (route) => route.fulfill({ status: 422, json: { errors } }))
  const last = personal.getByLabel(m.last_name())
  await last.fill('Nobody')
  await last.press('Enter')
  await expect(last).toHaveAccessibleDescription('No such name is known.')
  await expect(last).toBeFocused()
  await expect(last).toHaveValue('Nobody')
  await page.unroute('**/api/v1/clients/*')
  await page.route('**/api/v1/clients/*', (route) => route.abort())
  await last.press('Enter')
  await expect(personal.getByRole('alert')).toHaveText(m.offline_short())
  await expect(last).toHaveValue('Nobody')
})

test('billing details say what is missing, until an invoice can be issued', async ({ page }) => {
  await newcomer(page)
  await page.goto('/')
  await page
    .getByRole('region', { name: m.start() })
    .getByRole('link', { name: m.banner_billing_action() })
    .click()
  await expect(page).toHaveURL(`${href('manage-account')}#billing`)
  const billing = section(page, m.account_billing())
  await expect(billing.getByRole('heading', { name: m.account_billing() })).toBeInViewport()
  await expect(billing.getByText(/^Missing for invoices: Address, City, ZIP/)).toBeVisible()
  await billing.getByText(m.account_company()).click()
  await billing.getByRole('button', { name: m.save() }).click()
  const company = billing.getByLabel(m.company_name())
  await expect(company).toHaveAccessibleDescription(m.needed_on_invoices())
  await expect(company).toBeFocused()
  await expect(billing.getByLabel(m.city())).toHaveAccessibleDescription(m.needed_on_invoices())
  await billing.getByText(m.account_person()).click()
  await expect(company).toHaveCount(0)
  await expect(billing.getByLabel(m.region())).toBeVisible()
  await billing.getByRole('combobox', { name: m.country(), exact: true }).selectOption('Romania')
  await billing.getByRole('textbox', { name: m.address(), exact: true }).fill('Strada Memorandumului 1')
  await billing.getByLabel(m.city()).fill('Cluj-Napoca')
  await billing.getByLabel(m.zip_code()).fill('400114')
  await billing.getByRole('button', { name: m.save() }).click()
  await expect(billing.getByLabel(m.county())).toHaveAccessibleDescription(m.needed_on_invoices())
  await billing.getByLabel(m.county()).selectOption('Cluj')
  await billing.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.billing_saved())).toBeVisible()
  await expect(billing.getByText(/^Missing for invoices/)).toHaveCount(0)
  await expect(page.getByText(m.banner_billing())).toHaveCount(0)
  await expect(page.getByRole('link', { name: m.banner_billing_action() })).toHaveCount(0)
  await page.reload()
  await expect(billing.getByLabel(m.county())).toHaveValue(/^\d+$/)
  await billing.getByRole('combobox', { name: m.country(), exact: true }).selectOption('Germany')
  await expect(billing.getByLabel(m.region())).toBeVisible()
  await billing.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.billing_saved())).toBeVisible()
})

/** Details of an account in Bucharest that look complete, and lack the sector that an invoice needs. */
const withoutSector = (email: string) =>
  inDatabase(
    `update client_entities e set address1 = 'Strada Lungă 5', city = 'București', zip_code = '030167',
       country_id = c.id, county_id = k.id
     from clients l, countries c join counties k on k.country_id = c.id and k.code = 'RO-B'
     where e.client_id = l.id and l.email = $1 and c.code = 'RO'`,
    email,
  )

for (const [language, words] of [
  ['en', (text: () => string) => text()],
  ['ro', inRomanian],
] as const)
  test(`details that look complete show what an invoice still needs, and where, in ${language}`, async ({
    page,
    baseURL,
  }) => {
    // Nothing is invoiced before there is a panel or a payment.
    await withoutSector(await newcomerWithPanel(page))
    await page.context().addCookies([{ name: 'lang', value: language, url: baseURL ?? '' }])
    await page.goto(href('billing'))
    const notices = page.getByRole('complementary', { name: words(m.account_notices) })
    const fields = words(m.banner_billing_sector)
    await expect(notices).toContainText(words(() => m.banner_billing_missing({ fields })))
    await notices.getByRole('link', { name: words(m.banner_billing_action) }).click()
    await expect(page).toHaveURL(`${href('manage-account')}#billing`)
    const billing = section(page, words(m.account_billing))
    await expect(billing.getByRole('heading')).toBeInViewport()
    await billing.getByLabel(words(m.city)).fill('SECTOR3')
    await billing.getByRole('button', { name: words(m.save) }).click()
    await expect(page.getByText(words(m.billing_saved))).toBeVisible()
    await expect(notices.getByRole('link', { name: words(m.banner_billing_action) })).toHaveCount(0)
  })

test('the first fault has the cursor, however late its rules arrive and the browser renders', async ({
  page,
}) => {
  // A busy browser draws frames before it renders what has changed.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (message: unknown) {
      setTimeout(() => post.call(this, message), 100)
    }
  })
  let letThrough = (): void => undefined
  const saved = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/assets/rules-*.js', async (route) => {
    await saved
    await route.continue()
  })
  await newcomer(page)
  await open(page, '#billing')
  const billing = section(page, m.account_billing())
  await billing.getByText(m.account_company()).click()
  await billing.getByRole('button', { name: m.save() }).click()
  letThrough()
  await expect(billing.getByLabel(m.company_name())).toHaveAccessibleDescription(m.needed_on_invoices())
  await expect(billing.getByLabel(m.company_name())).toBeFocused()
})

test('billing e-mails are a list of addresses, separated by commas', async ({ page }) => {
  await newcomer(page)
  await open(page, '#billing-emails')
  const emails = section(page, m.account_billing_emails())
  const field = emails.getByRole('textbox', { name: m.billing_emails_label() })
  await field.pressSequentially('one@example.com,nonsense,')
  await emails.getByRole('button', { name: m.save() }).click()
  await expect(emails.getByText(refusal('emails_invalid'))).toBeVisible()
  await expect(field).toBeFocused()
  await field.press('Backspace')
  await field.pressSequentially('two@example.com')
  // An address that is typed but not added yet is saved too.
  await emails.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.billing_emails_saved())).toBeVisible()
  await page.reload()
  await expect(emails.getByText('one@example.com')).toBeVisible()
  await expect(emails.getByText('two@example.com')).toBeVisible()
  await field.fill('three@example.com, four@example.com')
  await field.press('Enter')
  for (const address of ['three@example.com', 'four@example.com'])
    await expect(emails.getByText(address, { exact: true })).toBeVisible()
})

test('the language is kept with the account, the theme in the browser, and neither costs what was typed', async ({
  page,
}) => {
  await newcomer(page)
  await open(page)
  await page.getByLabel(m.last_name()).fill('Typed')
  await section(page, m.account_preferences()).getByText('Română').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contul meu' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Nume', exact: true })).toHaveValue('Typed')
  await expect
    .poll(async () => {
      const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
      const headers = { authorization: `Bearer ${token}` }
      return (await (await page.request.get('/api/user', { headers })).json()).language
    })
    .toBe('ro')
  await page.getByText('Întunecată').click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  const stored = () => page.evaluate(() => localStorage.getItem('darkMode'))
  expect(await stored()).toBe('1')
  // The way back to the system's theme.
  await page.getByText('Sistem', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  expect(await stored()).toBeNull()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByRole('radio', { name: 'Sistem' })).toBeChecked()
})

test('leaving with something unsaved asks, once for the whole page', async ({ page }) => {
  await newcomer(page)
  await open(page)
  const home = page.getByRole('link', { name: m.logo() })
  await page.getByLabel(m.last_name()).fill('Unsaved')
  await turnTo(page, m.account_billing())
  await section(page, m.account_billing()).getByLabel(m.city()).fill('Unsaved too')
  // Another section of the page is no other page.
  await turnTo(page, m.account_passkeys())
  await expect(page).toHaveURL(/#passkeys$/)
  await home.click()
  const dialog = page.getByRole('dialog', { name: m.leave_title() })
  await dialog.getByRole('button', { name: m.leave_not() }).click()
  await expect(dialog).toBeHidden()
  await turnTo(page, m.account_billing())
  await expect(section(page, m.account_billing()).getByLabel(m.city())).toHaveValue('Unsaved too')
  await turnTo(page, m.account_personal())
  await expect(page.getByLabel(m.last_name())).toHaveValue('Unsaved')
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const warning = await asked
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  await home.click()
  await dialog.getByRole('button', { name: m.leave() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel(m.last_name())).toHaveValue('Ionescu')
  await home.click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
})

test('the sections are reached by their names, on a desktop and on a phone', async ({ page }) => {
  await newcomer(page)
  await open(page)
  const links = page.getByRole('navigation', { name: m.account_sections() })
  await links.getByRole('link', { name: m.account_log() }).click()
  const log = page.getByRole('heading', { name: m.account_log() })
  await expect(log).toBeFocused()
  await expect(log).toBeInViewport()
  await page.setViewportSize({ width: 360, height: 740 })
  await links.getByRole('combobox').selectOption(m.account_two_factor())
  const twoFactor = page.getByRole('heading', { name: m.account_two_factor() })
  await expect(twoFactor).toBeInViewport()
  await expect(links.getByRole('combobox')).toHaveValue('two-factor')
  await page.reload()
  await expect(twoFactor).toBeInViewport()
})
