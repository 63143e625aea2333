import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, openTab, signIn, test } from './fixtures.ts'
import { ownPassword, signInAs } from './newcomer.ts'
import { payer } from './payer.ts'

const board = '/desk/e-factura'

async function post(page: Page, path: string, data: object, type = 'invoices') {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': crypto.randomUUID(),
    'portico-reason': 'Statement',
  }
  const answer = await page.request.post(`/api/v1/${type}/${path}`, { data, headers })
  expect(answer.status()).toBe(200)
  return answer.json()
}

/**
 * A newcomer’s company pays a proforma, and the invoice is for the office of the demo, which fails for this reference of the
 * buyer. Leaves billing staff signed in. Returns their address, and the number of the invoice.
 */
async function paidInvoice(page: Page, reference: string | null) {
  const email = await payer(page)
  await inDatabase(
    `update client_entities set account_type = 1, company_name = 'Atelier ' || client_id, po_number = $2
     where client_id = (select id from clients where email = $1)`,
    email,
    reference,
  )
  const proforma = await post(page, '-actions/requestProforma', { net: 50 })
  await signIn(page, 'billing@demo.test')
  const { invoice_id: id } = await post(page, `${proforma.invoice_id}/-actions/recordBankTransfer`, {
    amount: proforma.total,
    received_on: new Date().toISOString().slice(0, 10),
    reference: `EF ${proforma.full_number}`,
  })
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const answer = await page.request.get(`/api/v1/invoices/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = await answer.json()
  return { email, id: Number(id), number: String(data.attributes.full_number) }
}

/** Runs the jobs that otherwise begin with the next minute. */
async function runJobs(): Promise<void> {
  for (const job of ['send', 'follow', 'search'])
    await inDatabase(`select graphile_worker.add_job($1, '{}'::json, job_key => $1)`, `tax-office.${job}`)
}

/**
 * The row of a document, once it shows these words; what is due later is due now. Documents that tests let fail one after another
 * make the portal pause its sending, which must not hold up another test.
 */
async function expectRow(page: Page, { id, number }: { id: number; number: string }, words: string) {
  // ST-2 is also a part of HST-21.
  const row = page.getByRole('row').filter({ hasText: new RegExp(`(?<![A-Z])${number}(?!\\d)`) })
  await expect
    .poll(
      async () => {
        await inDatabase(
          `update e_invoices set next_at = now() where invoice_id = $1 and state in ('waiting', 'sent')`,
          id,
        )
        await inDatabase(
          'update tax_offices set failures = 0, paused_until = null where paused_until is not null',
        )
        await runJobs()
        await page.goto(`${board}?search=${number}`)
        await expect(page.getByRole('heading', { level: 1, name: m.desk_efactura_title() })).toBeVisible()
        return (await row.allInnerTexts()).join()
      },
      { timeout: 60_000, intervals: [1000] },
    )
    .toContain(words)
  return row
}

/** The deposits of a client after an invoice. */
async function newerOf(page: Page, { id }: { id: number }) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const answer = await page.request.get(
    `/api/v1/desk-documents?filter[search]=${encodeURIComponent('Atelier')}&filter[kind]=fiscal`,
    { headers: { authorization: `Bearer ${token}` } },
  )
  const { data } = await answer.json()
  const known = data.find((one: { id: string }) => Number(one.id) === id)
  return data
    .filter(
      (one: { id: string; attributes: { client_id: number } }) =>
        Number(one.id) > id && one.attributes.client_id === known?.attributes.client_id,
    )
    .map((one: { id: string; attributes: { full_number: string } }) => ({
      id: Number(one.id),
      number: one.attributes.full_number,
    }))
}

test('an invoice reaches the tax office, and its client downloads what the office signed', async ({
  page,
}) => {
  const invoice = await paidInvoice(page, null)
  const row = await expectRow(page, invoice, m.desk_efactura_accepted())
  await expectAccessible(page, 'e-Factura')
  const file = page.waitForEvent('download')
  await row
    .getByRole('button', { name: m.document_download({ number: invoice.number, kind: 'e-Factura' }) })
    .click()
  expect((await file).suggestedFilename()).toBe(`${invoice.number}-e-factura.zip`)
  await signInAs(page, invoice.email, ownPassword)
  await page.goto(href('billing'))
  await openTab(page, m.invoices_title())
  await page.getByRole('button', { name: m.document_menu({ number: invoice.number }) }).click()
  const own = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: m.document_signed() }).click()
  expect((await own).suggestedFilename()).toBe(`${invoice.number}-e-factura.zip`)
})

test('a rejected deposit says why, and leads to where it is issued again', async ({ page }) => {
  const invoice = await paidInvoice(page, 'PO-NOK')
  const row = await expectRow(page, invoice, m.desk_efactura_rejected())
  await expect(row).toContainText('BR-RO-120')
  await expect(row).toContainText(m.desk_efactura_rejected_text())
  await inDatabase(
    'update client_entities set po_number = null where client_id = (select id from clients where email = $1)',
    invoice.email,
  )
  await row.getByRole('link', { name: invoice.number }).click()
  await page.getByRole('button', { name: m.desk_panel_more({ name: invoice.number }) }).click()
  await page.getByRole('menuitem', { name: m.desk_again(), exact: true }).click()
  await expectAccessible(page, 'a document that is issued again')
  await confirmVerb(page.getByRole('dialog'), m.desk_again_verb(), 'The order number was wrong')
  await expect(page.getByText(m.desk_again_done())).toBeVisible()
  await expect(row).toContainText(m.invoice_refunded())
  const [{ id, number } = { id: 0, number: '' }] = await newerOf(page, invoice)
  await expectRow(page, { id, number }, m.desk_efactura_accepted())
})

test('billing corrects an invoice that the office refuses at each sending', async ({ page }) => {
  const invoice = await paidInvoice(page, 'PO-CIF')
  const row = await expectRow(page, invoice, m.desk_efactura_problem_refused())
  await row.getByRole('button', { name: m.desk_efactura_correct() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(m.desk_efactura_correct_text())
  await expectAccessible(page, 'a document that is corrected instead')
  await confirmVerb(dialog, m.desk_efactura_correct_verb(), 'The office does not know the number')
  await expect(row).toContainText(m.desk_efactura_rejected_text())
  await row.getByRole('link', { name: invoice.number }).click()
  await page.getByRole('button', { name: m.desk_panel_more({ name: invoice.number }) }).click()
  await expect(page.getByRole('menuitem', { name: m.desk_again(), exact: true })).toBeVisible()
})

/** A credit note that the office of the demo rejects once, of a bill that it has. */
async function rejectedNote(page: Page) {
  const { id } = await paidInvoice(page, 'PO-NOTE')
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = { authorization: `Bearer ${token}` }
  const { data } = await (await page.request.get(`/api/v1/invoices/${id}`, { headers })).json()
  const lines = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
  const bill = await post(
    page,
    `${data.attributes.client_id}/-actions/manualInvoice`,
    { lines },
    'desk-clients',
  )
  await expectRow(page, { id: bill.invoice_id, number: bill.full_number }, m.desk_efactura_accepted())
  const note = await post(page, `${bill.invoice_id}/-actions/creditNote`, { reason: 'Wrong price' })
  return { id: Number(note.credit_note_id), number: String(note.full_number) }
}

test('billing makes a rejected credit note again, and the tax office accepts it', async ({ page }) => {
  const note = await rejectedNote(page)
  const row = await expectRow(page, note, m.desk_efactura_rejected())
  await expect(row).toContainText(m.desk_efactura_rejected_note())
  await row.getByRole('link', { name: note.number, exact: true }).click()
  await page.getByRole('button', { name: m.desk_panel_more({ name: note.number }), exact: true }).click()
  await expect(page.getByRole('menuitem', { name: m.desk_remake(), exact: true })).toBeVisible()
  await page.goto(`${board}?search=${note.number}`)
  await row.getByRole('button', { name: m.desk_remake() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(m.desk_remake_text())
  await expectAccessible(page, 'an electronic invoice that is made again')
  await confirmVerb(dialog, m.desk_remake_verb(), 'The office took the bill')
  await expect(page.getByText(m.desk_remake_done())).toBeVisible()
  await expect(row.getByRole('button', { name: m.desk_remake() })).toHaveCount(0)
  await expectRow(page, note, m.desk_efactura_accepted())
  // What the office said about the former sending stays.
  await expect(row).toContainText('BR-RO-120')
})

test('billing decides that an invoice of unknown outcome was not received, after two days', async ({
  page,
}) => {
  const invoice = await paidInvoice(page, 'PO-502')
  const row = await expectRow(page, invoice, m.desk_efactura_unknown())
  await expect(row).toContainText(m.desk_efactura_unknown_text())
  await expect(row.getByRole('button', { name: m.desk_efactura_again() })).toHaveCount(0)
  await inDatabase(
    `update e_invoices set begun_at = now() - interval '3 days', searched_at = now() where invoice_id = $1`,
    invoice.id,
  )
  await page.reload()
  await row.getByRole('button', { name: m.desk_efactura_received() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectAccessible(page, 'index of an upload')
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: m.desk_efactura_again() }).click()
  await confirmVerb(dialog, m.desk_efactura_again_verb(), 'The lists of the office do not have it')
  await expect(row.getByRole('button', { name: m.desk_efactura_again() })).toHaveCount(0)
})

test('an administrator authorises the portal at the tax office and comes back', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(board)
  await page.getByRole('button', { name: m.desk_efactura_authorise() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The yearly renewal')
  await dialog.getByRole('button', { name: m.desk_efactura_authorise_verb() }).click()
  await expect(page.getByText(m.desk_efactura_connected())).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})
