import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openTab, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { inRomanian } from './romanian.ts'

test('a person without a card gets a proforma, the bank details and a QR code, and finds them again', async ({
  page,
}) => {
  const email = await newcomer(page)
  await inDatabase(
    `update client_entities set address1 = 'Hauptstraße 5', city = 'Berlin', zip_code = '10115',
       country_id = (select id from countries where code = 'DE')
     where client_id = (select id from clients where email = $1)`,
    email,
  )
  await page.goto(href('payment'))
  const part = page.getByRole('region', { name: m.transfer_ask_title() })
  await expect(part.getByRole('button', { name: m.transfer_ask() })).toBeDisabled()
  await page.getByRole('textbox', { name: m.payment_amount() }).fill('50')
  await part.getByRole('button', { name: m.transfer_ask_one({ amount: '€50.00' }) }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('€59.50')
  await expect(dialog).toContainText('RO49 AAAA 1B31 0075 9384 0000')
  await expect(dialog).toContainText(/PRF-\d+/)
  await expect(dialog).toContainText('We look for it every working day')
  await expect(dialog.getByRole('img', { name: m.transfer_code() })).toBeVisible()
  await expectAccessible(page, 'bank details')
  await page.keyboard.press('Escape')
  const made = part.getByRole('status')
  await expect(made).toContainText(/PRF-\d+/)
  const [number = ''] = /PRF-\d+/.exec((await made.textContent()) ?? '') ?? []
  // What to transfer instead of what was asked for, until another amount is typed.
  await expect(made).toHaveText(m.transfer_made({ number, amount: '€59.50' }))
  const again = part.getByRole('button', { name: m.transfer_ask_one({ amount: '€50.00' }) })
  await expect(again).toHaveCount(0)
  await expect(part.getByRole('button', { name: m.transfer_show_one({ number }) })).toBeFocused()
  await page.getByRole('textbox', { name: m.payment_amount() }).fill('60')
  await expect(part.getByRole('button', { name: m.transfer_ask_one({ amount: '€60.00' }) })).toBeVisible()
  await page.getByRole('textbox', { name: m.payment_amount() }).fill('50')
  await expect(again).toHaveCount(0)
  await page.goto(href('billing'))
  await openTab(page, m.invoices_title())
  const documents = page.getByRole('table', { name: m.invoices_title() }).getByRole('row')
  await expect(documents.filter({ hasText: m.invoice_proforma() })).toHaveCount(1)
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: page.url() }])
  await page.reload()
  await openTab(page, inRomanian(m.invoices_title))
  await page.getByRole('button', { name: inRomanian(() => m.transfer_show_one({ number })) }).click()
  await expect(dialog).toContainText('O căutăm în fiecare zi lucrătoare')
})
