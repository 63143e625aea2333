import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, openTab, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { inRomanian } from './romanian.ts'

const addressed = (email: string) =>
  inDatabase(
    `update client_entities set address1 = 'Hauptstraße 5', city = 'Berlin', zip_code = '10115',
       country_id = (select id from countries where code = 'DE')
     where client_id = (select id from clients where email = $1)`,
    email,
  )

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('a client cancels a proforma, in Romanian, and keeps the other', async ({ page, baseURL }) => {
      await addressed(await newcomer(page))
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(href('payment'))
      const part = page.getByRole('region', { name: inRomanian(m.transfer_ask_title) })
      const numbers: string[] = []
      for (const amount of ['50', '60']) {
        await page.getByRole('textbox', { name: inRomanian(m.payment_amount) }).fill(amount)
        await part.getByRole('button').last().click()
        await expect(page.getByRole('dialog')).toContainText(/PRF-\d+/)
        await page.keyboard.press('Escape')
        await expect(part.getByRole('status')).not.toContainText(numbers[0] ?? 'none')
        numbers.push(/PRF-\d+/.exec((await part.getByRole('status').textContent()) ?? '')?.[0] ?? '')
      }
      const [first = '', second = ''] = numbers
      await page.goto(href('billing'))
      await openTab(page, inRomanian(m.invoices_title))
      await page.getByRole('button', { name: inRomanian(() => m.document_menu({ number: first })) }).click()
      await page.getByRole('menuitem', { name: inRomanian(m.proforma_cancel) }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(inRomanian(m.proforma_cancel_text))
      await expectAccessible(page, 'the cancellation of a proforma')
      await dialog.getByRole('button', { name: inRomanian(m.proforma_cancel_verb) }).click()
      await expect(dialog).toHaveCount(0)
      const rows = page.getByRole('table', { name: inRomanian(m.invoices_title) }).getByRole('row')
      await expect(rows.filter({ hasText: second })).toHaveCount(1)
      await expect(rows.filter({ hasText: first })).toHaveCount(0)
    })
  })

test('billing cancels a proforma with a reason', async ({ page }) => {
  const email = await newcomer(page)
  await addressed(email)
  await page.goto(href('payment'))
  const part = page.getByRole('region', { name: m.transfer_ask_title() })
  await page.getByRole('textbox', { name: m.payment_amount() }).fill('50')
  await part.getByRole('button').last().click()
  await expect(page.getByRole('dialog')).toContainText(/PRF-\d+/)
  const [number = ''] = /PRF-\d+/.exec((await page.getByRole('dialog').textContent()) ?? '') ?? []
  await page.context().clearCookies()
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/documents?search=${number}`)
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: m.proforma_cancel() }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(m.desk_proforma_cancel_text())
  await dialog.getByLabel(m.desk_verb_reason()).fill('Asked for twice')
  await dialog.getByRole('button', { name: m.proforma_cancel_verb() }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText(m.invoice_cancelled())
  await row.getByRole('button').last().click()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await expect(page.getByRole('menuitem', { name: m.proforma_cancel() })).toHaveCount(0)
})
