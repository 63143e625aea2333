import fs from 'node:fs'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openTab, signIn, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { signInAs } from './newcomer.ts'
import { payer } from './payer.ts'
import { expectRomanian } from './romanian.ts'

const page90 = m.desk_chip_remove({ name: m.desk_chip_days() })

test('billing finds documents of all clients by kind and days, with their totals', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_documents_title() }).click()
  const table = page.getByRole('table', { name: m.desk_documents_title() })
  const sums = page.getByRole('region', { name: m.desk_documents_sums() })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await expect(sums).toContainText(m.desk_column_open())
  await page.getByRole('button', { name: page90 }).click()
  await expect(page).toHaveURL(/days=all/)
  await expect(page.getByRole('button', { name: page90 })).toHaveCount(0)
  await page.getByLabel(m.column_type(), { exact: true }).selectOption(m.desk_shown_proforma())
  await expect(page).toHaveURL(/kind=proforma/)
  await expect(table.getByRole('row').nth(1)).toContainText(m.invoice_proforma())
  await expect(sums).not.toContainText(m.desk_documents_sums_text())
  await expectAccessible(page, 'documents')

  await page.getByRole('searchbox').fill('no such number')
  await expect(page.getByText(m.nothing_found(), { exact: true })).toBeVisible()
  await page.getByRole('button', { name: m.filters_clear() }).click()
  await expect(sums).toContainText(m.desk_documents_sums_text())
  await expect(table.getByRole('row').nth(1)).toBeVisible()
})

test('a link to the documents of a client is narrowed to them, and support corrects none', async ({
  page,
}) => {
  await signIn(page, 'support@demo.test')
  await page.goto(`${deskHome}/documents?client=1`)
  const chip = page.getByRole('button', { name: /Remove the filter “Client: / })
  await expect(chip).toBeVisible()
  await expect(page.getByRole('button', { name: page90 })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^More actions for / })).toHaveCount(0)
  await chip.click()
  await expect(page.getByRole('button', { name: page90 })).toBeVisible()
  // They read the file of a document on the page of its client.
  await expect(
    page.getByRole('table', { name: m.desk_documents_title() }).getByRole('row').nth(1),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download / })).toHaveCount(0)
})

test('billing sends an invoice to its client and their accountant, and the link of the letter leads to it', async ({
  page,
}) => {
  const email = await payer(page)
  const accountant = `accounts-${email}`
  await inDatabase(
    `update client_entities set billing_emails = $2
     where client_id = (select id from clients where email = $1)`,
    email,
    accountant,
  )
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page
    .getByRole('navigation', { name: m.desk_client_title() })
    .getByRole('link', { name: m.desk_tab_documents(), exact: true })
    .click()
  await page.getByRole('button', { name: m.desk_invoice() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.column_description()).fill('Set-up')
  await dialog.getByLabel(m.desk_invoice_net()).fill('10')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Agreed by phone')
  await dialog.getByRole('button', { name: m.desk_invoice_verb(), exact: true }).click()
  const issued = page.getByRole('row').filter({ hasText: m.invoice_fiscal() })
  const [number = ''] = /HST-\d+/.exec((await issued.textContent()) ?? '') ?? []

  await page.goto(`${deskHome}/documents?search=${number}`)
  await page.getByRole('button', { name: m.desk_panel_more({ name: number }) }).click()
  await page.getByRole('menuitem', { name: m.desk_send_document(), exact: true }).click()
  await expect(dialog).toContainText(m.desk_send_document_title({ number }))
  await expectAccessible(page, 'sending a document')
  await dialog.getByLabel(m.desk_verb_reason()).fill('They lost it')
  await dialog.getByRole('button', { name: m.desk_send_document_verb(), exact: true }).click()
  await expect(page.getByText(m.desk_send_document_done())).toBeVisible()

  const subject = new RegExp(`^Invoice ${number}$`)
  expect((await lastLetter(page.request, accountant, subject)).text).toContain(number)
  const letter = await lastLetter(page.request, email, subject)
  await signInAs(page, email)
  await page.goto(linkOf(letter))
  await openTab(page, m.invoices_title())
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: m.document_download({ kind: 'PDF', number }) }).click(),
  ])
  expect(
    fs
      .readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('documents are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/documents`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documente')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await expectAccessible(page, 'documents')
      await expectRomanian(page, 'documents')
    })
  })
