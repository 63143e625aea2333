import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { expect, signIn } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { withOwnPortal } from './own-portal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

// The test counts what waits in the whole portal.
const test = withOwnPortal()

/** Follows a line of open work, and returns the number that it says. */
async function follow(page: Page, title: string, line: RegExp): Promise<number> {
  await page.goto(deskHome)
  const link = page.getByRole('region', { name: m.desk_needs_title() }).getByRole('link', { name: line })
  const count = Number(/\d+/.exec((await link.textContent()) ?? '')?.[0])
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  return count
}

test('support follow engines, panels and trials to lists of exactly these', async ({ page, portal }) => {
  const change = databaseIn(portal.folder)
  await change(`insert into panel_engines (code, name, kind, base_url, health, health_detail)
    values ('cluj', 'Cluj', 'http', 'https://engine.invalid', 'down', 'ENOTFOUND')`)
  await change(`update panels set status = 'error', engine_status = 'error', engine_status_at = now()
    where id in (select min(id) from panels where status = 'active' group by client_id order by 1 limit 2)`)
  await change(`update clients set trial_ends_at = clock_now() + interval '1 day', trial_ended_on = null
    where email = 'trial@demo.test'`)
  await change(`insert into plan_assignments (client_id, panel_id, plan_id, starts_on, monthly, currency, admin_id, problem, problem_at)
    select p.client_id, p.id, (select min(id) from plans), current_date, 5, 'EUR', (select min(id) from admins),
      'plan_not_offered', now() from panels p where p.status = 'active' order by p.id desc limit 1`)
  await signIn(page, 'support@demo.test')
  const rows = page.getByRole('row')

  const engines = await follow(page, m.desk_engines_title(), /engine/)
  await expect(page.getByRole('combobox', { name: m.desk_queue_show() })).toHaveValue('down')
  await expect(rows).toHaveCount(1 + engines)
  await expect(rows.nth(1)).toContainText('Cluj')

  const trials = await follow(page, m.desk_clients_title(), /trial/)
  await expect(rows).toHaveCount(1 + trials)
  await expect(rows.filter({ hasText: 'trial@demo.test' })).toHaveCount(1)

  const panels = await follow(page, m.desk_panels_title(), /in error/)
  await expect(rows).toHaveCount(1 + panels)
  for (const row of (await rows.all()).slice(1)) await expect(row).toContainText(m.status_error())
  const [first] = (await rows.all()).slice(1)
  await first?.getByRole('link').click()
  await expect(page.getByRole('table', { name: m.desk_tab_panels() })).toContainText(m.status_error())

  const without = await follow(page, m.desk_panels_title(), /without/)
  await expect(page.getByRole('combobox', { name: m.desk_queue_show() })).toHaveValue('plan')
  await expect(rows).toHaveCount(1 + without)
})

for (const look of looks)
  test.describe(`in ${look.colorScheme} at ${look.width} px`, () => {
    test.use(seenAs(look))
    test('the list of panels is accessible, in Romanian', async ({ page, baseURL }) => {
      await signIn(page, 'support@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/panels`)
      const title = inRomanian(m.desk_panels_title)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await page.getByRole('searchbox').fill('web-eu1')
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByRole('link', { name: 'web-eu1', exact: true })).toBeVisible()
      await expectAccessible(page, 'panels')
      await expectRomanian(page, 'panels')
      const shown = page.getByRole('combobox', { name: inRomanian(m.desk_queue_show) })
      await shown.selectOption(inRomanian(m.desk_shown_panels_deleting))
      await expect(page).toHaveURL(/state=deleting/)
      await expect(page.getByRole('link', { name: 'web-eu1', exact: true })).toHaveCount(0)
    })
  })
