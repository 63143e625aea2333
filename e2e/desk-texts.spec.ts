import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// New terms would be those of everybody who registers.
const test = withOwnPortal()

test('an administrator publishes the privacy policy, and a visitor reads it in both languages', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_texts_title() }).click()
  await page.getByRole('button', { name: m.desk_texts_publish(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').selectOption('privacy')
  await dialog.getByLabel(m.desk_texts_version()).fill('2026-01')
  await dialog
    .getByLabel(m.desk_texts_en())
    .fill('## Your data\n\n- kept in Cluj\n- <script>alert(1)</script>')
  await dialog.getByLabel(m.desk_texts_ro()).fill('## Datele tale\n\n- păstrate la Cluj')
  await dialog.getByText(m.desk_texts_preview_en()).click()
  await expect(dialog.getByRole('listitem')).toHaveText(['kept in Cluj', '<script>alert(1)</script>'])
  await dialog.getByLabel(m.desk_verb_reason()).fill('Checked by our lawyer')
  const confirm = dialog.getByRole('button', { name: m.desk_texts_publish_verb(), exact: true })
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText('a published text never changes')
  await expectAccessible(page, 'publishing a text')
  complaints.splice(0)
  await dialog.getByLabel(m.desk_texts_version()).fill('2026-12')
  await confirm.click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: '2026-12' })
  await row.getByRole('button', { name: '2026-12' }).click()
  await expect(dialog.getByRole('listitem').first()).toHaveText('kept in Cluj')
  await page.goto('/privacy')
  const text = page.getByRole('article')
  await expect(text).toContainText('Version 2026-12')
  await expect(text.getByRole('listitem')).toHaveText(['kept in Cluj', '<script>alert(1)</script>'])
  await page.getByRole('button', { name: 'Română' }).click()
  await expect(text.getByRole('listitem')).toHaveText(['păstrate la Cluj'])
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the texts are accessible to a visitor and at the desk, in Romanian too', async ({
      page,
      baseURL,
    }) => {
      await page.goto('/terms')
      await expect(page.getByRole('article')).toContainText('Carpat Cloud SRL')
      await expectAccessible(page, 'terms')
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/texts`)
      await expect(page.getByRole('row').filter({ hasText: '2026-01' })).toHaveCount(2)
      await expectAccessible(page, 'texts at the desk')
      await expectRomanian(page, 'texts at the desk')
    })
  })

test('a client reads new terms and accepts them before they go on, and is not asked again', async ({
  page,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/texts`)
  await page.getByRole('button', { name: m.desk_texts_publish(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_texts_version()).fill('2026-fair')
  await dialog.getByLabel(m.desk_texts_en()).fill('## Fair use\n\nNo mining.')
  await dialog.getByLabel(m.desk_texts_ro()).fill('## Utilizare corectă\n\nFără minat.')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Miners came')
  await dialog.getByRole('button', { name: m.desk_texts_publish_verb(), exact: true }).click()
  await expect(page.getByText(m.desk_texts_done({ version: '2026-fair' }))).toBeVisible()

  await signIn(page)
  await page.goto(href('tickets'))
  const ask = page.getByRole('region', { name: m.terms_accept_title() })
  await expect(ask).toBeVisible()
  await expect(page.getByRole('article')).toContainText('No mining.')
  await expectAccessible(page, 'new terms')
  // Another page leads back to them.
  await page.goto(href('billing'))
  await expect(ask).toBeVisible()
  await ask.getByRole('button', { name: m.terms_accept_verb() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.billing_title() })).toBeVisible()
  await page.goto(href('tickets'))
  await expect(page.getByRole('heading', { level: 1, name: m.tickets_title() })).toBeVisible()
  await page.goto(href('terms'))
  await expect(page.getByRole('article')).toContainText('No mining.')
  await expect(ask).toHaveCount(0)

  await signIn(page, 'hans@demo.test')
  await page.goto('/')
  await ask.getByRole('button', { name: m.sign_out() }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, 'hans@demo.test')
  await page.goto('/')
  await expect(ask).toBeVisible()
})
