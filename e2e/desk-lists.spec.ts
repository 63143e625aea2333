import fs from 'node:fs/promises'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

test('an administrator narrows the clients, keeps the list under a name, exports it and deletes it', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/clients`)
  await page.getByLabel(m.currency(), { exact: true }).selectOption('USD')
  const views = page.getByRole('region', { name: m.desk_views_title() })
  await views.getByRole('button', { name: m.desk_views_keep() }).click()
  const keep = page.getByRole('dialog', { name: m.desk_views_keep() })
  await keep.getByLabel(m.column_name()).fill('In dollars')
  await keep.getByRole('button', { name: m.save() }).click()
  await expect(keep).toBeHidden()
  const kept = views.getByRole('button', { name: 'In dollars', exact: true })
  await expect(kept).toHaveAttribute('aria-pressed', 'true')

  await page.goto(`${deskHome}/clients`)
  await expect(kept).toHaveAttribute('aria-pressed', 'false')
  await kept.click()
  await expect(page).toHaveURL(/currency=USD/)
  await expect(page.getByLabel(m.currency(), { exact: true })).toHaveValue('USD')
  await expectAccessible(page, 'the list of clients with a view')

  await page.getByRole('button', { name: m.desk_clients_export() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('A letter by post')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: m.desk_export_verb(), exact: true }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/)
  const [headings, ...lines] = (await fs.readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(headings).toMatch(/^\ufeffid,first_name,last_name,email,.*,since$/)
  expect(lines.length).toBeGreaterThan(0)
  await expect(dialog).toBeHidden()

  await views.getByRole('button', { name: m.desk_views_delete({ name: 'In dollars' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.delete(), exact: true }).click()
  await expect(views.getByRole('button', { name: m.desk_views_keep() })).toBeVisible()
})

test('billing packs the documents of a period, and saves the file', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/documents`)
  await page.getByRole('button', { name: m.desk_archive_title() }).click()
  const dialog = page.getByRole('dialog', { name: m.desk_archive_title() })
  await expectAccessible(page, 'the dialog of archives')
  await dialog.getByLabel(m.desk_verb_reason()).fill('For the accountant')
  await dialog.getByRole('button', { name: m.desk_archive_pack() }).click()
  const newest = dialog.getByRole('list', { name: m.desk_archive_list() }).getByRole('listitem').first()
  const saving = page.waitForEvent('download')
  await newest.getByRole('button', { name: m.download() }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^pdf-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.zip$/)
  expect((await fs.readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
})

test('support exports neither clients nor documents', async ({ page }) => {
  await signIn(page, 'support@demo.test')
  await page.goto(`${deskHome}/clients`)
  await expect(page.getByRole('table', { name: m.desk_clients_title() })).toBeVisible()
  await expect(page.getByRole('button', { name: m.desk_clients_export() })).toHaveCount(0)
  await page.goto(`${deskHome}/documents`)
  await expect(page.getByRole('table', { name: m.desk_documents_title() })).toBeVisible()
  await expect(page.getByRole('button', { name: m.desk_archive_title() })).toHaveCount(0)
})

test('billing sees each price over time; another amount from a day to come is a draft with its effect', async ({
  page,
}) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/plans`)
  const prices = page.getByRole('list', { name: m.desk_prices_title() })
  const change = prices.getByRole('button', { name: m.desk_prices_change() }).first()
  await change.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^New price/).fill('0.01')
  await dialog.getByRole('button', { name: m.desk_prices_draft() }).click()
  const text = page.getByLabel(m.desk_plans_text(), { exact: true })
  await expect(text).toHaveValue(/"price_lists"/)
  // A second change is added to the draft of the first.
  await prices.getByRole('button', { name: m.desk_prices_change() }).nth(1).click()
  await dialog.getByLabel(/^New price/).fill('0.02')
  await dialog.getByRole('button', { name: m.desk_prices_draft() }).click()
  for (const price of [/"0\.01"/, /"0\.02"/]) await expect(text).toHaveValue(price)
  await text.fill('{')
  await change.click()
  await dialog.getByLabel(/^New price/).fill('0.01')
  await dialog.getByRole('button', { name: m.desk_prices_draft() }).click()
  await expect(dialog.getByRole('alert')).toHaveText(m.desk_prices_draft_unread())
  await dialog.getByRole('button', { name: m.cancel() }).click()
  await text.fill('')
  await change.click()
  await dialog.getByLabel(/^New price/).fill('0.01')
  await dialog.getByRole('button', { name: m.desk_prices_draft() }).click()
  await page.getByRole('button', { name: m.desk_plans_preview() }).click()
  await expect(page.getByRole('list', { name: m.desk_plans_changes() })).toContainText('0.01')
  await expect(page.getByRole('heading', { name: m.desk_plans_effect() })).toBeVisible()
  await expect(page.getByRole('button', { name: m.desk_plans_publish() })).toBeEnabled()
  await expectAccessible(page, 'prices over time with a draft')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('clients, archives and prices over time are accessible, in Romanian too', async ({
      page,
      baseURL,
    }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/clients?show=owing`)
      await expect(page.getByRole('button', { name: inRomanian(m.desk_views_keep) })).toBeVisible()
      await expectAccessible(page, 'clients')
      await expectRomanian(page, 'clients')
      await page.goto(`${deskHome}/plans`)
      await expect(page.getByRole('list', { name: inRomanian(m.desk_prices_title) })).toBeVisible()
      await expectAccessible(page, 'prices over time')
      await expectRomanian(page, 'prices over time')
    })
  })
