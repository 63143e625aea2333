import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// The engines are one for everybody.
const test = withOwnPortal()

test('an administrator adds an engine, keeps its secret, and asks it', async ({ page, baseURL }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/engines`)
  await page.getByRole('button', { name: m.desk_engines_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_engines_name()).fill('Cluj')
  await dialog.getByLabel(m.desk_engines_address()).fill('https://engine.invalid')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The first machine')
  await dialog.getByRole('button', { name: m.desk_engines_add_verb(), exact: true }).click()
  await expect(dialog.getByText(/^whsec_/)).toBeVisible()
  await expectAccessible(page, 'the secret of an engine')
  await dialog.getByRole('button', { name: m.desk_engines_secret_kept() }).click()
  const row = page.getByRole('row').filter({ hasText: 'https://engine.invalid' })
  await row.getByRole('button', { name: m.desk_engines_probe() }).click()
  await expect(row).toContainText(m.desk_engines_state_down())
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Motoare' })).toBeVisible()
  await expectAccessible(page, 'engines')
  await expectRomanian(page, 'engines')
})
