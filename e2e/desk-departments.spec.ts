import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian } from './romanian.ts'

test('an administrator adds a department and a ready answer for it, and closes it', async ({ page }) => {
  const name = `Audit ${crypto.randomUUID().slice(0, 8)}`
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_departments_title() }).click()
  await page.getByRole('button', { name: m.desk_departments_add(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_departments_code()).fill(name.toLowerCase().replace(' ', '-'))
  await dialog.getByLabel(m.desk_departments_name_en()).fill(name)
  await dialog.getByLabel(m.desk_departments_name_ro()).fill(`${name} RO`)
  await dialog.getByLabel(m.desk_departments_first()).fill('0.5')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Two people begin on Monday')
  await expectAccessible(page, 'new department')
  await dialog.getByRole('button', { name: m.desk_departments_add(), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('table', { name: m.desk_departments_title() }).getByRole('row', { name })
  await expect(row).toContainText(m.desk_departments_minutes({ minutes: 30 }))

  await page.getByRole('button', { name: m.desk_answers_add() }).click()
  await dialog.getByLabel(m.desk_answers_name()).fill(`Hello from ${name}`)
  await dialog.getByLabel(m.desk_departments_where()).selectOption(name)
  await dialog.getByLabel(m.desk_answers_body_en()).fill('Hello')
  await dialog.getByLabel(m.desk_answers_body_ro()).fill('Bună')
  await dialog.getByRole('button', { name: m.save() }).click()
  const answer = page
    .getByRole('table', { name: m.ready_answers() })
    .getByRole('row', { name: `Hello from ${name}` })
  await expect(answer).toContainText(name)
  await answer.getByRole('button', { name: m.desk_answers_remove() }).click()
  await dialog.getByRole('button', { name: m.desk_answers_remove() }).click()
  await expect(answer).toHaveCount(0)

  await row.getByRole('button', { name: m.desk_departments_close(), exact: true }).click()
  await dialog.getByLabel(m.desk_verb_reason()).fill('Nobody works there any more')
  await dialog.getByRole('button', { name: m.desk_departments_close(), exact: true }).click()
  await expect(row).toContainText(m.desk_departments_closed())
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('departments are read in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/departments`)
      await expect(page.getByRole('row').filter({ hasText: 'Suport tehnic' }).first()).toContainText(
        'Răspuns',
      )
      await expectAccessible(page, 'departments')
      await expectRomanian(page, 'departments', [
        'Ask for access to the panel',
        'Waiting for the data centre',
      ])
    })
  })
