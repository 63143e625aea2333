import type { Locator, Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { enableSecondFactor, fillAdminAccount, setupLinkIn } from './first-admin.ts'
import { expect } from './fixtures.ts'
import { ownPassword } from './newcomer.ts'
import { withOwnPortal } from './own-portal.ts'
import { testCard, typeCard } from './payer.ts'

const test = withOwnPortal({ SEED: 'none' })

/** Opens a page of the desk by its link. */
const open = (page: Page, title: string) =>
  page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click()

type Fields = Readonly<Record<string, string>>

/** Fills fields in by their labels, in a form that asks for a reason unless it is the first of its kind, and sends it. */
async function send(form: Locator, fields: Fields, verb: string, isFirst = false): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).first().fill(value)
  const reason = form.getByLabel(m.desk_verb_reason())
  if (isFirst) await expect(reason).toHaveValue(m.desk_verb_reason_first())
  else await reason.fill('The set-up')
  await form.getByRole('button', { name: verb, exact: true }).click()
}

async function enterCompany(page: Page): Promise<void> {
  await open(page, m.desk_company_title())
  const form = page.getByRole('region', { name: m.desk_company_details() })
  await form.getByLabel(m.county()).selectOption({ label: 'Cluj' })
  await send(
    form,
    {
      [m.desk_company_name()]: 'Acme Cloud SRL',
      [m.desk_company_tax()]: '27182818',
      [m.desk_company_vat()]: 'RO27182818',
      [m.address()]: 'Strada Lungă 1',
      [m.city()]: 'Cluj-Napoca',
      [m.zip_code()]: '400114',
      [m.transfer_iban()]: 'RO09BCYP0000001234567890',
    },
    m.save(),
    true,
  )
  await expect(page.getByText(m.desk_company_saved())).toBeVisible()
  await expect(page.getByText(m.desk_company_missing())).toBeVisible()
}

/** The series of proformas, invoices and credit notes; the dialog offers those that are missing. */
async function beginSeries(page: Page): Promise<void> {
  const series = page.getByRole('region', { name: m.desk_series_title() })
  const dialog = page.getByRole('dialog')
  for (const prefix of ['PRO', 'ACM', 'STO']) {
    await series.getByRole('button', { name: m.desk_series_new() }).click()
    await send(dialog, { [m.desk_series_prefix()]: prefix }, m.desk_series_new_verb(), true)
    await expect(dialog).toHaveCount(0)
  }
  const rows = series.getByRole('listitem')
  await expect(rows.filter({ hasText: 'ACM' })).toContainText(m.desk_series_fiscal())
  await expect(rows.filter({ hasText: 'STO' })).toContainText(m.desk_series_credit_note())
  await expect(page.getByText(m.desk_company_missing())).toHaveCount(0)
}

/** The first plan is the example of the form, at another price, and sold in lei alone, so that no exchange rate is needed. */
async function publishPlan(page: Page): Promise<void> {
  await open(page, m.desk_plans_title())
  await expect(page.getByText('0.0029 USD per core and hour from')).toBeVisible()
  await page.getByRole('link', { name: m.desk_plan_add(), exact: true }).click()
  await page.getByRole('button', { name: m.desk_plan_example() }).click()
  const priceIn = (currency: string) =>
    page.getByRole('textbox', { name: m.desk_plan_fee({ currency }), exact: true })
  await expect(priceIn('RON')).toBeFocused()
  await priceIn('RON').fill('40')
  await priceIn('USD').fill('')
  await expect(page.getByLabel(m.desk_verb_reason())).toHaveValue(m.desk_verb_reason_first())
  await page.getByRole('button', { name: m.save(), exact: true }).click()
  await expect(page.getByRole('list', { name: m.desk_plan_facts() })).toContainText('40.00')
  const preview = page.getByRole('button', { name: m.desk_plans_preview() })
  await preview.click()
  await expect(page.getByRole('list', { name: m.desk_plans_faults() })).toContainText('USD')
  await page.getByRole('checkbox', { name: m.desk_plan_unsold({ currency: 'USD' }) }).check()
  await preview.click()
  await expectAccessible(page, 'a draft that lets a currency go')
  await expect(page.getByRole('list', { name: m.desk_plans_changes() })).toContainText(m.column_status())
  await page.getByRole('button', { name: m.desk_plans_publish() }).click()
  await send(page.getByRole('dialog'), {}, m.desk_plans_publish(), true)
  await expect(page.getByRole('region', { name: m.desk_plan_facts() })).toContainText(m.desk_plans_offered())
  await expect(page.getByRole('link', { name: m.desk_plan_next_prices() })).toBeVisible()
  await open(page, m.desk_rates_title())
  await expect(page.getByText(m.desk_rates_needs_none())).toBeVisible()
}

async function publishTexts(page: Page): Promise<void> {
  await open(page, m.desk_texts_title())
  const dialog = page.getByRole('dialog')
  for (const kind of ['terms', 'privacy']) {
    await page.getByRole('button', { name: m.desk_texts_publish(), exact: true }).click()
    await expect(dialog.getByLabel(m.desk_texts_kind(), { exact: true })).toHaveValue(kind)
    const texts = { [m.desk_texts_en()]: 'Be fair.', [m.desk_texts_ro()]: 'Fii corect.' }
    await send(dialog, { ...texts, [m.desk_texts_version()]: '1' }, m.desk_texts_publish_verb(), true)
    await expect(dialog).toHaveCount(0)
  }
}

async function enterBrand(page: Page): Promise<void> {
  await open(page, m.desk_brand_title())
  const form = page.getByRole('region', { name: m.desk_brand_texts() })
  await send(form, { [m.desk_brand_name()]: 'Acme Cloud' }, m.save(), true)
  await expect(page.getByText(m.desk_brand_saved())).toBeVisible()
}

/** What stops the portal is done; its mail server is not set at the desk of this machine. */
async function expectSetUp(page: Page): Promise<void> {
  await open(page, m.desk_checks_title())
  await page.getByRole('button', { name: m.desk_checks_run() }).click()
  const steps = page.getByRole('list', { name: m.desk_checks_steps() })
  await expect(steps).toContainText('a new client begins with a credit of 100 RON', { ignoreCase: true })
  const done = [
    m.desk_step_company,
    m.desk_step_series,
    m.desk_step_prices,
    m.desk_step_rates,
    m.desk_step_brand,
    m.desk_step_texts,
  ]
  for (const step of done)
    await expect(
      steps.getByRole('listitem').filter({ has: page.getByText(step(), { exact: true }) }),
    ).toContainText(m.desk_checks_done())
  // Of the engines there is only the one that simulates panels.
  await expect(steps).toContainText('its panels do not exist although they are charged')
}

const email = 'client@example.com'

async function register(page: Page): Promise<void> {
  await page.goto(href('create-account'))
  await expect(page.getByText(m.mail_off_register())).toBeVisible()
  await page.getByLabel(m.first_name()).fill('Maria')
  await page.getByLabel(m.last_name()).fill('Ionescu')
  await page.getByLabel(m.email()).fill(email)
  await page.getByLabel(m.new_password(), { exact: true }).fill(ownPassword)
  await page.getByLabel(m.retype_password()).fill(ownPassword)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: m.register_title(), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.verify_title() })).toBeVisible()
  await expect(page.getByText(m.mail_off_verify({ email }))).toBeVisible()
  await expect(page.getByRole('button', { name: m.resend() })).toHaveCount(0)
  await expectAccessible(page, 'waiting without mail')
}

/** No letter leaves this portal, so the administrator is told of the client who waits, and confirms their address. */
async function confirmAddress(page: Page): Promise<void> {
  await open(page, m.desk_home_title())
  await expect(async () => {
    await page.reload()
    await page
      .getByRole('link', { name: m.desk_need_addresses_waiting({ count: 1 }) })
      .click({ timeout: 2000 })
  }).toPass()
  await expect(page.getByText(m.desk_letters_no_server())).toBeVisible()
  const letter = page.getByRole('row').filter({ hasText: 'Confirmation of an address' })
  await expect(letter).toContainText(m.desk_letter_waiting())
  await letter.getByRole('link', { name: email }).click()
  await expect(page.getByText(m.desk_email_unconfirmed({ email }))).toBeVisible()
  await expectAccessible(page, 'a client whose address is not confirmed')
  await page.getByRole('button', { name: m.desk_confirm_email() }).click()
  const dialog = page.getByRole('dialog', { name: m.desk_confirm_email_title({ name: 'Maria Ionescu' }) })
  await confirmVerb(dialog, m.desk_confirm_email_verb(), 'She wrote from this address')
  await expect(page.getByText(m.desk_confirm_email_done(), { exact: true })).toBeVisible()
}

/** The page that waits goes on by itself. */
async function enterDetails(page: Page): Promise<void> {
  await page.getByLabel(m.address(), { exact: true }).fill('Strada Lungă 5')
  await page.getByLabel(m.city()).fill('Brașov')
  await page.getByLabel(m.zip_code()).fill('500001')
  await page.getByLabel(m.country(), { exact: true }).selectOption({ label: 'Romania' })
  await page.getByLabel(m.county()).selectOption({ label: 'Brașov' })
  await page.getByRole('button', { name: m.details_submit() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
}

test('an empty portal is set up at the desk alone, and its first client pays the first invoice', async ({
  page,
  portal,
  browser,
}) => {
  await page.goto(setupLinkIn(portal.greeting))
  await fillAdminAccount(page)
  await enableSecondFactor(page)
  await page.getByRole('button', { name: m.recovery_codes_kept() }).click()
  // Which rates are needed is not known before the company is.
  await open(page, m.desk_checks_title())
  const steps = page.getByRole('list', { name: m.desk_checks_steps() })
  const rates = steps.getByRole('listitem').filter({ hasText: m.desk_step_rates() })
  await expect(rates).toContainText(m.desk_checks_todo())
  const toPlans = steps.getByRole('link', { name: `${m.desk_checks_open()}: ${m.desk_step_prices()}` })
  await expect(toPlans).toHaveAttribute('href', `${deskHome}/add-plan`)
  await enterCompany(page)
  await beginSeries(page)
  await publishPlan(page)
  await publishTexts(page)
  await enterBrand(page)
  await expectSetUp(page)

  const context = await browser.newContext({ baseURL: portal.url })
  const client = await context.newPage()
  await register(client)
  await confirmAddress(page)
  await enterDetails(client)
  await client.goto(`${href('payment')}?amount=100`)
  await typeCard(client, testCard.works)
  await client.getByRole('button', { name: /^Pay RON\s121\.00$/ }).click()
  await expect(
    client.getByRole('button', { name: m.document_download({ kind: 'PDF', number: 'ACM-1' }) }),
  ).toBeVisible()
  await context.close()

  await page.goto(`${deskHome}/documents`)
  const invoice = page.getByRole('row').filter({ hasText: 'ACM-1' })
  await expect(invoice).toContainText('121.00')
  await expect(invoice).toContainText(m.invoice_paid())
})
