import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
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
  await page.getByLabel(m.column_type(), { exact: true }).selectOption(m.invoice_proforma())
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
