import { m } from '../web/src/texts/compiled/messages.js'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

const many = 103

test('more workspaces than a page of the API holds are all there, with the current one', async ({ page }) => {
  const email = await newcomer(page)
  await inDatabase(
    `with added as (
       insert into projects (client_id, name) select c.id, 'Workspace ' || n
       from clients c, generate_series(2, $2::int) n where c.email = $1 order by n returning id, client_id, name)
     update clients c set current_project_id = a.id from added a where a.client_id = c.id and a.name = 'Workspace ' || $2`,
    email,
    many,
  )
  await inDatabase(
    `insert into panels (client_id, project_id, name, status, external_id, synced_at)
     select c.id, c.current_project_id, 'last-panel', 'active', 'ext-' || c.id, now() from clients c where c.email = $1`,
    email,
  )
  await page.goto('/')
  const bar = page.getByRole('banner').getByRole('button', { name: /^Workspace: / })
  await expect(bar).toHaveAccessibleName(`Workspace: Workspace ${many} ${many} in all`)
  await expect(page.getByRole('article', { name: 'last-panel' })).toBeVisible()
  await bar.click()
  await expect(page.getByRole('menuitem', { name: `Workspace ${many}` })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await page.getByRole('searchbox', { name: m.search() }).fill('Workspace 102')
  await page.getByRole('menuitem', { name: 'Workspace 102' }).click()
  await expect(bar).toHaveAccessibleName(`Workspace: Workspace 102 ${many} in all`)
  await page.goto('/add-ticket')
  await expect(page.getByRole('combobox', { name: m.ticket_panel() })).toContainText('last-panel')
})
