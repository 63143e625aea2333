import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'

const vatNumber = 'DE136695976'

/** A new company in Germany with an account in dollars, whose VAT number is not known to be valid. Returns their address. */
async function germanCompany(page: Page): Promise<string> {
  const email = await newcomer(page)
  await inDatabase('update clients set currency_follows_country = false where email = $1', email)
  await inDatabase(
    `update client_entities set account_type = 1, company_name = 'Apfel GmbH', vat_number = $2, address1 = 'Hauptstraße 5',
       city = 'Berlin', zip_code = '10115', country_id = (select id from countries where code = 'DE')
     where client_id = (select id from clients where email = $1)`,
    email,
    vatNumber,
  )
  return email
}

/** The answer of VIES, which no test asks. */
const becomesValid = (email: string): Promise<void> =>
  inDatabase(
    `insert into vat_checks (client_id, vat_number, status, source, checked_at)
     select id, $2, 'valid', 'test', now() from clients where email = $1`,
    email,
    vatNumber,
  )

/** Billing issues a proforma of 50 and its German VAT for the client whose documents are open, and records its transfer. */
async function paysByTransfer(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const confirm = async (verb: string, fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields))
      await dialog.getByRole('textbox', { name: label }).fill(value)
    await confirmVerb(dialog, verb, 'Agreed by phone')
  }
  await page.getByRole('button', { name: m.desk_proforma() }).click()
  await confirm(m.desk_proforma_verb(), { [m.desk_credit_net()]: '50' })
  const proforma = page.getByRole('row').filter({ hasText: m.invoice_proforma() })
  await expect(proforma).toContainText('$59.50')
  await proforma.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: m.desk_arrived(), exact: true }).click()
  await confirm(m.desk_sent_verb(), {
    [m.desk_arrived_on()]: new Date().toISOString().slice(0, 10),
    [m.desk_sent_reference()]: crypto.randomUUID(),
  })
  await expect(proforma).toContainText(m.invoice_paid())
}

test('billing reissues a deposit without VAT once the number of its payer is valid, and not before', async ({
  page,
  complaints,
}) => {
  const email = await germanCompany(page)
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page
    .getByRole('navigation', { name: m.desk_client_title() })
    .getByRole('link', { name: m.desk_tab_documents(), exact: true })
    .click()
  await paysByTransfer(page)

  const deposits = page.getByRole('row').filter({ hasText: m.invoice_fiscal() }).filter({ hasText: '$59.50' })
  await deposits.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: m.desk_reissue(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page, 'a deposit that is reissued')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The number is valid')
  await dialog.getByRole('button', { name: m.desk_reissue_verb(), exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText(refusal('storno_same_vat'))
  complaints.splice(0)

  await becomesValid(email)
  await dialog.getByRole('button', { name: m.desk_reissue_verb(), exact: true }).click()
  await expect(page.getByText(m.desk_reissue_done())).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: '-$59.50' })).toContainText(m.invoice_credit_note())
  await expect(deposits).toHaveCount(2)
  // The VAT of 9.50 is the client's now, beside 50 and the credit of a new account.
  await expect(page.getByRole('definition').filter({ hasText: '$79.50' })).toBeVisible()
})
