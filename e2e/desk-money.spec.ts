import type { Locator, Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { signInAs } from './newcomer.ts'
import { payer } from './payer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** A part of a client's page; some have the name of a page of the desk. */
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: m.desk_client_title() }).getByRole('link', { name, exact: true })

/** The dialog of a verb, with the reason and what else it asks for. */
async function confirm(
  page: Page,
  verb: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields))
    await dialog.getByRole('textbox', { name: label }).fill(value)
  await confirmVerb(dialog, verb, 'Agreed by phone')
}

/** Asks in a dialog what will follow, and reads the answer. */
async function preview(page: Page, ...lines: readonly (string | RegExp)[]): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: m.desk_preview(), exact: true }).click()
  const said = dialog.getByRole('status').getByRole('listitem')
  for (const line of lines) await expect(said.filter({ hasText: line })).toHaveCount(1)
}

/** Opens the menu of a document, and the dialog of one of its verbs. */
async function choose(page: Page, row: Locator, verb: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: verb, exact: true }).click()
}

/** Opens the documents of a new client at the desk, as billing; returns the client's address. */
async function documentsOfPayer(page: Page): Promise<string> {
  const email = await payer(page)
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await part(page, m.desk_tab_documents()).click()
  return email
}

test('a client reads what billing wrote for them about a goodwill, and not the reason', async ({
  page,
  baseURL,
}) => {
  const email = await payer(page)
  const speak = (lang: string) =>
    page.context().addCookies([{ name: 'lang', value: lang, url: baseURL ?? '' }])
  await signIn(page, 'billing@demo.test')
  await speak('ro')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page.getByRole('button', { name: inRomanian(m.desk_goodwill) }).click()
  await expectRomanian(page, 'goodwill')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: inRomanian(m.desk_amount) }).fill('5')
  await dialog.getByRole('textbox', { name: inRomanian(m.desk_message) }).fill('For the outage of Thursday')
  await dialog.getByLabel(inRomanian(m.desk_verb_reason)).fill('Promised by Dan, ticket 12')
  await dialog.getByRole('button', { name: inRomanian(m.desk_goodwill_verb), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(`${page.url()}/money`)
  const row = page.getByRole('row').filter({ hasText: 'For the outage of Thursday' })
  await expect(row).toContainText(inRomanian(m.log_goodwill))

  await speak('en')
  await signInAs(page, email)
  await page.goto(href('billing-log'))
  await expect(row).toContainText(m.log_goodwill())
  await expect(page.getByText('Promised by Dan')).toHaveCount(0)
  await expectAccessible(page, 'a message in the history of a balance')
})

test('billing gives goodwill, adjusts the balance, and issues, credits and writes off an invoice', async ({
  page,
}) => {
  const email = await payer(page)
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page.getByRole('button', { name: m.desk_goodwill() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: m.desk_preview(), exact: true })).toBeDisabled()
  await dialog.getByRole('textbox', { name: m.desk_amount() }).fill('5')
  await preview(page, m.desk_preview_credit({ before: '$20.00', after: '$25.00' }), /Left of your limit/)
  await expectAccessible(page, 'goodwill')
  // What is typed anew has not been looked at.
  await dialog.getByRole('textbox', { name: m.desk_amount() }).fill('4')
  await expect(dialog.getByRole('status').getByRole('listitem')).toHaveCount(0)
  await confirm(page, m.desk_goodwill_verb(), { [m.desk_amount()]: '5' })
  const credit = page.getByRole('definition').filter({ hasText: '$25.00' })
  await expect(credit.first()).toBeVisible()

  await part(page, m.desk_tab_money()).click()
  await page.getByRole('button', { name: m.desk_adjust() }).click()
  await page.getByLabel(m.desk_adjust_direction()).selectOption('down')
  await dialog.getByRole('textbox', { name: m.desk_amount() }).fill('1.50')
  await preview(page, m.desk_preview_balance({ before: '$0.00', after: '-$1.50' }))
  await confirm(page, m.desk_adjust_verb(), { [m.desk_amount()]: '1,50' })
  await expect(page.getByRole('row').filter({ hasText: m.log_adjustment() })).toContainText('$1.50')

  await part(page, m.desk_tab_documents()).click()
  // Only the part that is open is marked.
  await expect(part(page, m.desk_tab_overview())).not.toHaveAttribute('aria-current')
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  const sold = { [m.column_description()]: 'Set-up', [m.desk_invoice_net()]: '10' }
  await confirm(page, m.desk_invoice_verb(), sold)
  const invoice = page.getByRole('row').filter({ hasText: '$12.10' }).filter({ hasText: m.invoice_fiscal() })
  await choose(page, invoice, m.desk_credit())
  await page.getByLabel(m.desk_credit_what()).selectOption('amount')
  await expect(dialog).toContainText(m.desk_credit_left({ amount: '$10.00' }))
  await dialog.getByRole('textbox', { name: m.desk_credit_net() }).fill('4')
  await expect(dialog).toContainText(m.desk_credit_from_open({ amount: '$4.84' }))
  await expect(dialog.getByRole('list', { name: m.desk_credit_follows() }).getByRole('listitem')).toHaveCount(
    1,
  )
  await confirm(page, m.desk_credit_verb(), {})
  await expect(page.getByRole('row').filter({ hasText: '$4.84' })).toBeVisible()
  await expect(invoice).toContainText(m.invoice_left({ amount: '$7.26' }))
  await expectAccessible(page, 'documents of a client')
  await choose(page, invoice, m.desk_write_off())
  await expect(page.getByRole('dialog')).toContainText('$7.26')
  await confirm(page, m.desk_write_off_verb(), { [m.desk_amount_gross()]: '1,26' })
  await choose(page, invoice, m.desk_write_off())
  await expect(page.getByRole('dialog')).toContainText('$6.00')
  await preview(page, m.desk_preview_open({ before: '$6.00', after: '$0.00' }))
  await confirm(page, m.desk_write_off_verb())
  await expect(invoice).toContainText(m.invoice_paid())
  // The money comes after all, and takes the loss back instead of becoming a deposit.
  await choose(page, invoice, m.desk_arrived())
  await expect(page.getByLabel(m.desk_amount_gross())).toHaveValue('7.26')
  await confirm(page, m.desk_sent_verb(), {
    [m.desk_arrived_on()]: new Date().toISOString().slice(0, 10),
    [m.desk_sent_reference()]: crypto.randomUUID(),
  })
  await expect(page.getByRole('row').filter({ hasText: m.invoice_fiscal() })).toHaveCount(1)
  await invoice.getByRole('button', { name: /^More actions for / }).click()
  await expect(page.getByRole('menuitem', { name: m.desk_credit(), exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: m.desk_arrived(), exact: true })).toHaveCount(0)
})

test('billing issues a proforma, records its transfer by hand, and refunds a part to a bank account', async ({
  page,
}) => {
  const email = await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_proforma() }).click()
  await expectAccessible(page, 'a new proforma')
  await confirm(page, m.desk_proforma_verb(), { [m.desk_credit_net()]: '50' })
  const proforma = page.getByRole('row').filter({ hasText: m.invoice_proforma() })
  await expect(proforma).toContainText('$60.50')

  await choose(page, proforma, m.desk_arrived())
  await expect(page.getByLabel(m.desk_amount_gross())).toHaveValue('60.5')
  await expectAccessible(page, 'a transfer that arrived')
  const today = new Date().toISOString().slice(0, 10)
  const line = { [m.desk_arrived_on()]: today, [m.desk_sent_reference()]: crypto.randomUUID() }
  for (const [name, value] of Object.entries(line)) await page.getByRole('textbox', { name }).fill(value)
  await preview(
    page,
    m.desk_preview_open({ before: '$60.50', after: '$0.00' }),
    m.desk_preview_balance({ before: '$0.00', after: '$50.00' }),
  )
  await confirm(page, m.desk_sent_verb(), line)
  await expect(proforma).toContainText(m.invoice_paid())

  await part(page, m.desk_tab_payments()).click()
  const payment = page.getByRole('row').filter({ hasText: '$60.50' })
  await payment.getByRole('button', { name: m.desk_refund() }).click()
  await expectAccessible(page, 'refund to a bank account')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: m.desk_credit_net() }).fill('20')
  await dialog.getByRole('textbox', { name: m.desk_credit_iban() }).fill('RO49 AAAA 1B31 0075 9384 0000')
  await preview(page, m.desk_preview_refund({ gross: '$24.20', net: '$20.00', vat: '$4.20' }))
  await confirm(page, m.desk_refund_verb(), {
    [m.desk_credit_net()]: '20',
    [m.desk_credit_iban()]: 'RO49 AAAA 1B31 0075 9384 0000',
  })
  await expect(payment).toContainText(m.refund_pending({ amount: '$24.20' }))
  await expect(payment.getByRole('button', { name: m.desk_refund() })).toHaveCount(0)
  // The alert has the whole account, and leads back to the payment.
  const payments = page.url()
  await page.goto(`${deskHome}/alerts`)
  const due = page
    .getByRole('row')
    .filter({ hasText: m.alert_transfer_due() })
    .filter({ hasText: '24.20 USD' })
    .first()
  await expect(due).toContainText('RO49AAAA1B31007593840000')
  await due.getByRole('link').click()
  await expect(page).toHaveURL(payments)
  await payment.getByRole('button', { name: m.desk_sent() }).click()
  await confirm(page, m.desk_sent_verb(), { [m.desk_sent_on()]: today, [m.desk_sent_reference()]: 'OUT 8' })
  await expect(payment).toContainText(m.payment_partly_refunded())

  await payment.getByRole('button', { name: m.desk_refund() }).click()
  await confirm(page, m.desk_refund_verb(), {
    [m.desk_credit_net()]: '10',
    [m.desk_credit_iban()]: 'RO49 AAAA 1B31 0075 9384 0000',
  })
  await expect(payment.getByRole('button', { name: m.desk_drop() })).toBeVisible()
  await inDatabase(
    `update payment_refunds set status = 'failed', failure_code = 'payment_disputed'
     where status = 'pending' and client_id = (select id from clients where email = $1)`,
    email,
  )
  // Another one of $30.25 was dropped too, for which there is no room any more once the other one was recorded.
  await inDatabase(
    `insert into payment_refunds (payment_id, client_id, net, vat, gross, reason, status, failure_code, iban)
     select payment_id, client_id, 25, 5.25, 30.25, reason, status, failure_code, iban from payment_refunds
     where failure_code = 'payment_disputed' and client_id = (select id from clients where email = $1)`,
    email,
  )
  await page.reload()
  await expect(payment.getByRole('button', { name: m.desk_drop() })).toHaveCount(0)
  const other = payment.getByRole('button', { name: m.desk_sent_before({ amount: '$30.25' }) })
  await expect(other).toBeVisible()
  await payment.getByRole('button', { name: m.desk_sent_before({ amount: '$12.10' }) }).click()
  await expectAccessible(page, 'a transfer that was sent before a dispute')
  await confirm(page, m.desk_sent_verb(), { [m.desk_sent_on()]: today, [m.desk_sent_reference()]: 'OUT 9' })
  await expect(payment.getByRole('button', { name: m.desk_sent_before({ amount: '$12.10' }) })).toHaveCount(0)
  await expect(other).toHaveCount(0)

  await part(page, m.desk_tab_documents()).click()
  await expect(page.getByRole('row').filter({ hasText: '-$12.10' })).toContainText(m.invoice_credit_note())
  await expect(page.getByRole('row').filter({ hasText: '-$24.20' })).toContainText(m.invoice_credit_note())
})

test('billing takes back a transfer with a mistyped amount, and records it again', async ({ page }) => {
  await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_proforma() }).click()
  await confirm(page, m.desk_proforma_verb(), { [m.desk_credit_net()]: '50' })
  const proforma = page.getByRole('row').filter({ hasText: m.invoice_proforma() })
  const today = new Date().toISOString().slice(0, 10)
  const line = { [m.desk_arrived_on()]: today, [m.desk_sent_reference()]: crypto.randomUUID() }
  await choose(page, proforma, m.desk_arrived())
  await confirm(page, m.desk_sent_verb(), { [m.desk_amount_gross()]: '65.50', ...line })
  await part(page, m.desk_tab_payments()).click()
  const wrong = page.getByRole('row').filter({ hasText: '$65.50' })
  await wrong.getByRole('button', { name: m.desk_undo_transfer() }).click()
  await expectAccessible(page, 'a transfer that is taken back')
  await confirm(page, m.desk_undo_transfer_verb(), {})
  await expect(wrong).toContainText(m.payment_refunded())
  await expect(wrong.getByRole('button', { name: m.desk_undo_transfer() })).toHaveCount(0)
  await part(page, m.desk_tab_documents()).click()
  await expect(page.getByRole('row').filter({ hasText: '-$65.50' })).toContainText(m.invoice_credit_note())
  await choose(page, proforma, m.desk_arrived())
  await confirm(page, m.desk_sent_verb(), line)
  await expect(proforma).toContainText(m.invoice_paid())
})

test('billing credits one line of an invoice of two', async ({ page }) => {
  await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  const dialog = page.getByRole('dialog')
  const line = (number: number) => dialog.getByRole('group', { name: m.desk_invoice_line({ number }) })
  await line(1).getByLabel(m.column_description()).fill('Migration')
  await line(1).getByLabel(m.desk_invoice_net()).fill('30')
  await dialog.getByRole('button', { name: m.desk_invoice_add_line() }).click()
  await line(2).getByLabel(m.column_description()).fill('Set-up')
  await line(2).getByLabel(m.desk_invoice_net()).fill('10')
  await confirm(page, m.desk_invoice_verb())
  const invoice = page.getByRole('row').filter({ hasText: '$48.40' }).filter({ hasText: m.invoice_fiscal() })
  await choose(page, invoice, m.desk_credit())
  await page.getByLabel(m.desk_credit_what()).selectOption('lines')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Not wanted')
  await expect(dialog.getByRole('button', { name: m.desk_credit_verb() })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Set-up: $10.00' }).check()
  await expectAccessible(page, 'credit of a line')
  await confirm(page, m.desk_credit_verb())
  await expect(page.getByRole('row').filter({ hasText: '-$12.10' })).toBeVisible()

  // What was credited is shown as such, and the rest is what is left.
  await choose(page, invoice, m.desk_credit())
  const what = page.getByLabel(m.desk_credit_what())
  await expect(what.getByRole('option', { name: m.desk_credit_amount() })).toHaveCount(0)
  await what.selectOption('lines')
  const credited = m.desk_credit_line_credited({ line: 'Set-up: $10.00' })
  await expect(dialog.getByRole('checkbox', { name: credited })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Migration: $30.00' }).check()
  await expect(dialog).toContainText(m.desk_credit_from_open({ amount: '$36.30' }))
})

test('billing keeps an invoice of two lines as a draft, and issues it with the VAT of the day', async ({
  page,
}) => {
  await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  const dialog = page.getByRole('dialog')
  const line = (number: number) => dialog.getByRole('group', { name: m.desk_invoice_line({ number }) })
  // One begins to type in the first field, not in the reason below.
  await expect(line(1).getByLabel(m.column_description())).toBeFocused()
  await line(1).getByLabel(m.column_description()).fill('Migration')
  await line(1).getByLabel(m.usage_quantity()).fill('3')
  await line(1).getByLabel(m.desk_invoice_net()).fill('2,05')
  await dialog.getByRole('button', { name: m.desk_invoice_add_line() }).click()
  await line(2).getByLabel(m.column_description()).fill('Set-up')
  await line(2).getByLabel(m.desk_invoice_net()).fill('3.85')
  await expect(dialog).toContainText(m.desk_invoice_sum({ net: '$10.00' }))
  await expectAccessible(page, 'an invoice of two lines')
  await dialog.getByRole('button', { name: m.desk_draft_keep() }).click()
  await expect(dialog).toHaveCount(0)

  const draft = page.getByRole('row').filter({ hasText: 'Migration, Set-up' })
  await expect(draft).toContainText('$10.00')
  await expectAccessible(page, 'drafts of a client')
  await draft.getByRole('button', { name: m.desk_draft_open() }).click()
  await expect(dialog).toContainText('$12.10')
  await line(2).getByLabel(m.usage_quantity()).fill('2')
  await expect(dialog).toContainText(m.desk_invoice_sum({ net: '$13.85' }))
  await confirm(page, m.desk_invoice_verb())
  await expect(draft).toHaveCount(0)
  // (3 × 2.05 + 2 × 3.85) and 21% of it.
  await expect(
    page.getByRole('row').filter({ hasText: '$16.76' }).filter({ hasText: m.invoice_fiscal() }),
  ).toBeVisible()

  await page.getByRole('button', { name: m.desk_invoice() }).click()
  await line(1).getByLabel(m.column_description()).fill('Mistake')
  await line(1).getByLabel(m.desk_invoice_net()).fill('1')
  await dialog.getByRole('button', { name: m.desk_draft_keep() }).click()
  const mistake = page.getByRole('row').filter({ hasText: 'Mistake' })
  await mistake.getByRole('button', { name: m.desk_draft_discard() }).click()
  await dialog.getByRole('button', { name: m.desk_draft_discard() }).click()
  await expect(mistake).toHaveCount(0)
})

test('what a transfer paid is credited to a bank account, and billing records that it was sent', async ({
  page,
}) => {
  await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  const sold = { [m.column_description()]: 'Migration', [m.desk_invoice_net()]: '10' }
  await confirm(page, m.desk_invoice_verb(), sold)
  const invoice = page.getByRole('row').filter({ hasText: '$12.10' }).filter({ hasText: m.invoice_fiscal() })
  const number = /[A-Z]+-\d+/.exec((await invoice.textContent()) ?? '')?.[0] ?? ''
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = { authorization: `Bearer ${token}`, 'portico-reason': 'Statement of today' }
  const found = await page.request.get(`/api/v1/invoices?filter[search]=${number}`, { headers })
  const { data } = await found.json()
  const arrived = await page.request.post(`/api/v1/invoices/${data[0].id}/-actions/recordBankTransfer`, {
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    data: { amount: 12.1, received_on: data[0].attributes.issue_date, reference: crypto.randomUUID() },
  })
  expect(arrived.status()).toBe(200)
  await page.reload()
  await choose(page, invoice, m.desk_credit())
  const to = page.getByLabel(m.desk_credit_to())
  const documents = page.getByRole('list', { name: m.desk_credit_follows() }).getByRole('listitem')
  await expect(documents).toHaveText([
    m.desk_credit_follows_note({ number, total: '$12.10' }),
    m.desk_credit_follows_deposit({ amount: '$12.10' }),
  ])
  // Nothing of a transfer can go back to a card.
  await expect(to.getByRole('option')).toHaveText([m.desk_credit_to_balance(), m.desk_credit_to_bank()])
  await to.selectOption('bank')
  await expect(documents).toHaveText([/./, /./, m.desk_credit_follows_bank()])
  await expect(page.getByRole('dialog')).toContainText(m.desk_credit_follows_why())
  await expectAccessible(page, 'credit to a bank account')
  await confirm(page, m.desk_credit_verb(), { [m.desk_credit_iban()]: 'RO49 AAAA 1B31 0075 9384 0000' })

  await part(page, m.desk_tab_payments()).click()
  const payment = page.getByRole('row').filter({ hasText: '$12.10' })
  await payment.getByRole('button', { name: m.desk_sent() }).click()
  const sent = { [m.desk_sent_on()]: data[0].attributes.issue_date, [m.desk_sent_reference()]: 'OUT 7' }
  await confirm(page, m.desk_sent_verb(), sent)
  await expect(payment).toContainText(m.payment_refunded())
  await expect(payment.getByRole('button', { name: m.desk_sent() })).toHaveCount(0)
})

test('what will follow is said in Romanian too', async ({ page, baseURL }) => {
  const email = await payer(page)
  await signIn(page, 'billing@demo.test')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page.getByRole('button', { name: inRomanian(m.desk_goodwill) }).click()
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByRole('textbox', { name: inRomanian(m.desk_amount) })
  const look = dialog.getByRole('button', { name: inRomanian(m.desk_preview), exact: true })
  await amount.fill('400')
  await look.click()
  await expect(dialog.getByRole('status').getByRole('listitem')).toContainText([
    /^Sold: /,
    /^Credit promoțional: /,
    /^Depășește limita ta/,
  ])
  await expectAccessible(page, 'a preview in Romanian')
  await expectRomanian(page, 'a preview')
})

test('the dialog of a credit note names its documents in Romanian, and the client reads what is left', async ({
  page,
  baseURL,
}) => {
  const email = await documentsOfPayer(page)
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  await confirm(page, m.desk_invoice_verb(), {
    [m.column_description()]: 'Migrare',
    [m.desk_invoice_net()]: '10',
  })
  await expect(page.getByRole('row').filter({ hasText: '$12.10' })).toBeVisible()
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await page.getByRole('button', { name: /^Mai multe acțiuni pentru / }).click()
  await page.getByRole('menuitem', { name: inRomanian(m.desk_credit), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'Documentele care urmează' })).toContainText(
    /Factură de stornare pentru .+: \$12\.10/,
  )
  await expect(dialog).toContainText(/Restul de plată scade cu \$12\.10/)
  await expectRomanian(page, 'the credit of an invoice')
  await dialog.getByLabel(inRomanian(m.desk_credit_what)).selectOption('amount')
  await dialog.getByRole('textbox', { name: inRomanian(m.desk_credit_net) }).fill('4')
  await dialog.getByLabel(inRomanian(m.desk_verb_reason)).fill('Preț greșit')
  await dialog.getByRole('button', { name: inRomanian(m.desk_credit_verb) }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Rest de plată: $7.26' })).toBeVisible()

  await signInAs(page, email)
  await page.goto(`${href('billing')}?tab=invoices`)
  const left = page.getByRole('row').filter({ hasText: '$12.10' })
  await expect(left).toContainText('Rest de plată: $7.26')
})
