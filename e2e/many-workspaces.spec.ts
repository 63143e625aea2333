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

test('of five hundred panels the dashboard renders a part, and finds the others', async ({ page }) => {
  const email = await newcomer(page)
  await inDatabase(
    `insert into panels (client_id, project_id, name, status, external_id, synced_at)
     select p.client_id, p.id, 'panel-' || n, 'active', 'ext-' || p.client_id || '-' || n, now()
     from projects p join clients c on c.id = p.client_id, generate_series(1, 500) n where c.email = $1 order by n`,
    email,
  )
  await page.goto('/')
  const cards = page.getByRole('article', { name: /^panel-\d+$/ })
  const panels = page.getByRole('region', { name: m.palette_panels() })
  await expect(panels.getByRole('status')).toHaveText(m.panels_found({ count: 500 }))
  await expect(cards).toHaveCount(24)
  await panels.getByRole('button', { name: m.auto_more({ count: 24 }) }).click()
  await expect(cards).toHaveCount(48)
  await panels.getByRole('searchbox').fill('panel-49')
  await expect(cards).toHaveCount(11)
  await expect(page.getByRole('article', { name: 'panel-499' })).toBeVisible()
  await panels.getByRole('searchbox').fill('nothing of this name')
  await expect(panels.getByRole('status')).toHaveText(m.nothing_found())
})

test('a guest sees all panels of an owner who has more than a page of the API holds', async ({ page }) => {
  const owner = `owner-of-many-${crypto.randomUUID()}@example.com`
  await inDatabase(
    `with owner as (
       insert into clients (email, first_name, last_name, language_id, currency_id, status, email_verified_at)
       select $1, 'Olga', 'Dinu', language_id, currency_id, 1, now() from clients where email = 'ana@demo.test' returning id)
     insert into projects (client_id, name) select id, 'Olga''s workspace' from owner`,
    owner,
  )
  const guest = await newcomer(page)
  await inDatabase(
    `with place as (select p.id, p.client_id from projects p join clients c on c.id = p.client_id where c.email = $1),
     added as (
       insert into panels (client_id, project_id, name, status, external_id, synced_at)
       select client_id, id, 'shared-' || n, 'active', 'ext-' || client_id || '-' || n, now()
       from place, generate_series(1, $3::int) n order by n returning id, client_id),
     opened as (
       insert into share_permissions (inviting_client_id, invited_client_id, tickets)
       select place.client_id, c.id, 'allowed' from place, clients c where c.email = $2
       returning id, inviting_client_id, invited_client_id)
     insert into client_panels (client_id, owner_id, share_permission_id, panel_id)
     select o.invited_client_id, o.inviting_client_id, o.id, a.id from opened o, added a order by a.id`,
    owner,
    guest,
    many,
  )
  await page.goto('/')
  await expect(page.getByRole('article', { name: `shared-${many}` })).toBeAttached()
  await expect(page.getByRole('article', { name: /^shared-\d+$/ })).toHaveCount(many)
  await page.goto('/add-ticket')
  await page.getByRole('combobox', { name: m.ticket_account() }).selectOption('Olga Dinu')
  const panels = page.getByRole('combobox', { name: m.ticket_panel() })
  await panels.selectOption(`shared-${many}`)
  await expect(panels.getByRole('option', { name: /^shared-\d+$/ })).toHaveCount(many)
})
