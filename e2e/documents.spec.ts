import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, openTab, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { refusal } from './refusal.ts'
import { expectRomanian } from './romanian.ts'

const tableOf = (page: Page) => page.getByRole('table', { name: m.invoices_title() })

async function openInvoices(page: Page, email: string): Promise<void> {
  await signIn(page, email)
  await page.goto(href('billing'))
  await openTab(page, m.invoices_title())
}

/** The newest bill of the demo's person. */
async function newestBill(page: Page): Promise<string> {
  const [bill] = await (await api(page)).list('invoices?filter[kind]=fiscal&sort=-issue_date')
  return String(bill?.attributes.full_number)
}

test('the number of an invoice brings its PDF, its menu the XML, and sends it to somebody', async ({
  page,
}) => {
  await openInvoices(page, 'ana@demo.test')
  const number = await newestBill(page)
  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: m.document_download({ number, kind: 'PDF' }) }).click()
  expect((await arriving).suggestedFilename()).toMatch(/\.pdf$/)
  await page.getByRole('button', { name: m.document_menu({ number }) }).click()
  const xml = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: m.document_xml() }).click()
  expect((await xml).suggestedFilename()).toMatch(/\.xml$/)

  await page.getByRole('button', { name: m.document_menu({ number }) }).click()
  await page.getByRole('menuitem', { name: m.document_send() }).click()
  const dialog = page.getByRole('dialog', { name: m.document_send_title({ number }) })
  await dialog.getByLabel(m.email()).fill('nonsense')
  await dialog.getByRole('button', { name: m.document_send_verb(), exact: true }).click()
  await expect(dialog).toContainText(refusal('email_invalid'))
  const to = `books-${crypto.randomUUID()}@example.com`
  await dialog.getByLabel(m.email()).fill(to)
  await dialog.getByRole('button', { name: m.document_send_verb(), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(m.document_sent({ number, address: to }))).toBeVisible()
  expect((await lastLetter(page.request, to)).text).toContain(number)
})

test('monthly statements with nothing to pay are a list of their own', async ({ page }) => {
  await openInvoices(page, 'ioana@demo.test')
  const statements = await (await api(page)).list('invoices?filter[statements]=only')
  expect(statements.map(({ attributes: { total } }) => total)).toEqual(statements.map(() => 0))
  expect(statements.length).toBeGreaterThan(0)
  // She has no other documents.
  await expect(page.getByText(m.invoices_none_title())).toBeVisible()
  await page.getByRole('button', { name: m.invoices_statements() }).click()
  await expect(page).toHaveURL(/documents=statements/)
  await expect(
    tableOf(page)
      .getByRole('row')
      .filter({ hasText: /€0\.00/ }),
  ).toHaveCount(statements.length)
  await page.getByLabel(m.invoices_show()).selectOption(m.invoices_documents())
  await expect(page.getByText(m.invoices_none_title())).toBeVisible()
  // A notification calls them the same, and leads there.
  const number = String(statements[0]?.attributes.full_number)
  await page.getByRole('button', { name: m.notifications() }).click()
  await page.getByRole('link', { name: m.notice_statement_issued({ number }) }).click()
  await expect(page).toHaveURL(/documents=statements/)
  await expect(tableOf(page).getByRole('row', { name: number })).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the invoices, their menu and the sending are accessible, in Romanian too', async ({
      page,
      baseURL,
    }) => {
      await openInvoices(page, 'ana@demo.test')
      const number = await newestBill(page)
      await expectAccessible(page, 'invoices')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: number, exact: false }).last().click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page, 'the menu of an invoice')
      await page.getByRole('menuitem').last().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'sending an invoice')
      await expectRomanian(page, 'sending an invoice')
    })
  })
