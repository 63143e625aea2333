import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

const many = 103
/** So many of a long list are rendered at once. */
const atOnce = 24

/** A newcomer with so many workspaces, of which each has a panel. */
async function ownerOfMany(page: Page): Promise<string> {
  const email = await newcomer(page)
  await inDatabase(
    `insert into projects (client_id, name) select c.id, 'Workspace ' || n
     from clients c, generate_series(2, $2::int) n where c.email = $1 order by n`,
    email,
    many,
  )
  await inDatabase(
    `insert into panels (client_id, project_id, name, status, external_id, synced_at)
     select c.id, p.id, 'panel-' || row_number() over (order by p.id), 'active', 'ext-' || p.id, now()
     from clients c join projects p on p.client_id = c.id where c.email = $1 order by p.id`,
    email,
  )
  return email
}

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
  const places = page.getByRole('menuitem', { name: /^(My )?Workspace( \d+)?$/ })
  await expect(places).toHaveCount(atOnce)
  await expect(places.first()).toHaveAccessibleName(`Workspace ${many}`)
  await expect(places.first()).toHaveAttribute('aria-current', 'true')
  await page.getByRole('menuitem', { name: m.auto_more({ count: atOnce }) }).click()
  await expect(places).toHaveCount(2 * atOnce)
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
  const cards = page.getByRole('article', { name: /^shared-\d+$/ })
  const shared = page.getByRole('region', { name: m.shared_from({ name: 'Olga Dinu' }) })
  await expect(shared.getByRole('status')).toHaveText(m.panels_found({ count: many }))
  await expect(cards).toHaveCount(atOnce)
  await shared.getByRole('searchbox').fill(`shared-${many}`)
  await expect(cards).toHaveCount(1)
  await expect(page.getByRole('article', { name: `shared-${many}` })).toBeVisible()
  await page.goto('/add-ticket')
  await page.getByRole('combobox', { name: m.ticket_account() }).selectOption('Olga Dinu')
  const panels = page.getByRole('combobox', { name: m.ticket_panel() })
  await panels.selectOption(`shared-${many}`)
  await expect(panels.getByRole('option', { name: /^shared-\d+$/ })).toHaveCount(many)
})

test('the palette offers a part of many panels, and finds each by its name', async ({ page }) => {
  await ownerOfMany(page)
  await page.goto('/')
  await expect(page.getByRole('article', { name: 'panel-1' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  const panels = palette
    .getByRole('option', { name: /^panel-\d+/ })
    .or(palette.getByRole('button', { name: /^panel-\d+/ }))
  await expect(panels).toHaveCount(20)
  await page.keyboard.type('panel-10')
  // 10 and 100 to 103.
  await expect(panels).toHaveCount(5)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'panel-10', exact: true })).toBeVisible()
})

test('access to many workspaces is given and listed in parts, and a link to one shows it', async ({
  page,
}) => {
  const email = await ownerOfMany(page)
  await page.goto(href('manage-permissions'))
  await page.getByRole('radio', { name: m.preset_custom_text() }).check()
  await page.getByRole('radiogroup', { name: m.permission_resources() }).getByText(m.level_custom()).click()
  const choices = page.getByRole('radiogroup', { name: /^(My )?Workspace( \d+)?$/ })
  await expect(choices).toHaveCount(atOnce)
  await page.getByRole('searchbox').fill('panel-102')
  await expect(choices).toHaveCount(1)
  await choices.getByText(m.level_all()).click()
  const summary = page.getByRole('complementary', { name: m.may_title() })
  await expect(summary).toContainText(m.may_workspace({ name: 'Workspace 102' }))
  await inDatabase(
    `with who as (select id from clients where email = $1),
     p as (
       insert into share_permissions (inviting_client_id, my_workspaces, workspace_resources)
       select id, 'allowed', 'all' from who returning id, inviting_client_id)
     insert into share_invitations
       (permission_id, client_id, first_name, last_name, invited_email, last_sent_at, link_expires_at)
     select id, inviting_client_id, 'Elena', 'Radu', 'guest-' || id || '@example.com', now(), now() + interval '5 days' from p`,
    email,
  )
  await page.goto(href('delegate-access'))
  const rows = page.getByRole('rowheader')
  await expect(page.getByRole('main').getByRole('status')).toHaveText(m.delegate_found({ count: 2 * many }))
  await expect(rows).toHaveCount(atOnce)
  await page.getByRole('searchbox').fill('panel-102')
  await expect(rows).toHaveText(['Workspace 102', 'panel-102'])
  const [last] = await (await api(page)).list(`projects?filter[search]=Workspace ${many}`)
  await page.goto('/')
  await page.goto(`${href('delegate-access')}#workspace-${last?.id}`)
  await expect(rows.first()).toHaveText(`Workspace ${many}`)
})
