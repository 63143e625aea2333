import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian } from './romanian.ts'

// The plans are one for everybody.
const test = withOwnPortal()

test('the example is taken, previewed and published, and the prices show it', async ({
  page,
  baseURL,
  complaints,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/plans`)
  const text = page.getByLabel(m.desk_plans_text(), { exact: true })
  const preview = page.getByRole('button', { name: m.desk_plans_preview() })
  await text.fill('{ "plans": oops')
  await preview.click()
  await expect(page.getByRole('alert')).toContainText('JSON')
  await expect(text).toHaveValue('{ "plans": oops')
  // The console names every refusal.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('JSON')])

  await page.getByRole('button', { name: m.desk_plans_example() }).click()
  await expect(text).toHaveValue(/example-business/)
  await preview.click()
  const changes = page.getByRole('list', { name: m.desk_plans_changes() })
  await expect(changes).toContainText(m.desk_plans_of_plan({ plan: 'example-basic' }))
  await expectAccessible(page, 'the preview of plans')
  await page.getByRole('button', { name: m.desk_plans_publish() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('Our first plans')
  await dialog.getByRole('button', { name: m.desk_plans_publish(), exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: 'example-business' })).toContainText(
    m.desk_plans_offered(),
  )

  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Planuri și prețuri' })).toBeVisible()
  await expectAccessible(page, 'plans')
  await expectRomanian(page, 'plans')
  await page.goto('/prices')
  await expect(page.getByRole('heading', { name: 'Afaceri' })).toBeVisible()
})
