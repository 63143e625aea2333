import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { payer, testCard, typeCard } from './payer.ts'

const iban = 'RO49 AAAA 1B31 0075 9384 0000'

const tokenOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''

/** What the API answers to the owner of a token. */
async function post(page: Page, token: string, path: string, data: unknown) {
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': crypto.randomUUID(),
    'portico-reason': 'Agreed by phone',
    'content-type': 'application/vnd.api+json',
  }
  const answer = await page.request.post(`/api/v1/${path}`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

/** A new client whose card paid an invoice of $12.10, as billing sees their payments. */
async function clientWithPaidInvoice(page: Page) {
  const email = await payer(page)
  await page.goto('/payment?amount=20')
  await typeCard(page, testCard.works)
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toBeVisible()
  const client = await tokenOf(page)
  await signIn(page, 'billing@demo.test')
  const billing = await tokenOf(page)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await expect(page.getByRole('navigation', { name: m.desk_client_title() })).toBeVisible()
  const id = /\/clients\/(\d+)/.exec(page.url())?.[1]
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
  const made = await post(page, billing, `desk-clients/${id}/-actions/manualInvoice`, { lines })
  const attributes = { purpose: 'service_bill', invoice_id: made.invoice_id }
  await post(page, client, 'transactions', { data: { type: 'transactions', attributes } })
  const payments = page.getByRole('navigation', { name: m.desk_client_title() })
  await payments.getByRole('link', { name: m.desk_tab_payments(), exact: true }).click()
  return { billing, invoice: made.invoice_id }
}

test('billing refunds what a card paid for an invoice, once it was credited to the balance', async ({
  page,
}) => {
  const { billing, invoice } = await clientWithPaidInvoice(page)
  const payment = page.getByRole('row').filter({ hasText: '$12.10' })
  await expect(payment).toContainText(m.purpose_bill())
  await expect(payment.getByRole('button', { name: m.desk_refund() })).toHaveCount(0)
  await post(page, billing, `invoices/${invoice}/-actions/creditNote`, { reason: 'Not wanted' })
  await page.reload()
  await payment.getByRole('button', { name: m.desk_refund() }).click()
  await expectAccessible(page, 'refund of a credited invoice')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: m.desk_credit_net() }).fill('4')
  await dialog.getByLabel(m.desk_refund_to()).selectOption('bank')
  await dialog.getByRole('textbox', { name: m.desk_credit_iban() }).fill(iban)
  await confirmVerb(dialog, m.desk_refund_verb(), 'Agreed by phone')
  await expect(payment).toContainText(m.refund_pending({ amount: '$4.84' }))
  await expect(payment.getByRole('button', { name: m.desk_refund() })).toHaveCount(0)
  // The account was wrong, so that the money is sent in another way.
  await payment.getByRole('button', { name: m.desk_drop() }).click()
  await confirmVerb(dialog, m.desk_drop_verb(), 'Wrong account')
  await payment.getByRole('button', { name: m.desk_refund() }).click()
  await confirmVerb(dialog, m.desk_refund_verb(), 'To the card instead')
  await expect(async () => {
    await page.reload()
    await expect(payment).toContainText(m.payment_refunded(), { timeout: 1000 })
  }).toPass()
  await expect(payment.getByRole('button', { name: m.desk_refund() })).toHaveCount(0)
})
