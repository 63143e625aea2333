import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { section, turnTo } from './account-page.ts'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

test('a client chooses letters, looks a company up, exports their data, and closes the account', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const email = await newcomer(page)
  await page.goto(href('manage-account'))

  const letters = section(page, m.account_notifications())
  const issued = letters.getByRole('checkbox', { name: m.mail_invoice_issued() })
  await expect(issued).toBeChecked()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  // `uncheck` looks at the box in the moment of the click, and the page shows the choice with its next frame.
  await issued.click()
  await expect(issued).not.toBeChecked()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(issued).not.toBeChecked()
  await expect(letters.getByRole('checkbox', { name: m.mail_payment_failed() })).toBeChecked()

  await turnTo(page, m.account_billing())
  const billing = section(page, m.account_billing())
  await billing.getByText(m.account_company()).click()
  const fill = billing.getByRole('button', { name: m.company_lookup() })
  await expect(fill).toBeDisabled()
  await billing.getByLabel(m.vat_number()).fill('DE811569869')
  await billing.getByRole('combobox', { name: m.country(), exact: true }).selectOption('Germany')
  await billing.getByLabel(m.city()).fill('Hamburg')
  await fill.click()
  await expect(billing.getByLabel(m.company_name())).toHaveValue('Nordlicht Studio GmbH')
  await expect(billing.getByRole('textbox', { name: m.address(), exact: true })).toHaveValue('Musterstraße 5')
  // The typed values stay until the person accepts the suggestion.
  await expect(billing.getByRole('group', { name: m.company_lookup_differs() })).toContainText('Berlin')
  await expect(billing.getByLabel(m.city())).toHaveValue('Hamburg')
  await billing.getByRole('button', { name: m.company_lookup_replace() }).click()
  await expect(billing.getByLabel(m.city())).toHaveValue('Berlin')
  await billing.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.billing_saved())).toBeVisible()

  await turnTo(page, m.account_copy())
  const copy = section(page, m.account_copy())
  await copy.getByRole('button', { name: m.export_data_start() }).click()
  const download = page.waitForEvent('download')
  await copy.getByRole('button', { name: m.export_data_download() }).click({ timeout: 30_000 })
  expect((await download).suggestedFilename()).toMatch(/^portico-\d{4}-\d\d-\d\d\.zip$/)

  await section(page, m.account_close()).getByRole('button', { name: m.closing_verb() }).click()
  const dialog = page.getByRole('dialog', { name: m.closing_title() })
  const close = dialog.getByRole('button', { name: m.closing_verb() })
  await expect(close).toBeDisabled()
  await dialog.getByLabel(m.closing_confirm({ email })).fill(email)
  await close.click()
  await expect(page).toHaveURL(href('login'))
  await page.goto(href('manage-account'))
  await expect(page).toHaveURL(new RegExp(`^[^?]*${href('login')}`))
})
