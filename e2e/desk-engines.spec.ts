import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { databaseIn } from './database.ts'
import { expect, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

// The engines are one for everybody.
const test = withOwnPortal()

test('an administrator adds an engine, keeps its secret, asks and edits it', async ({
  page,
  baseURL,
  complaints,
}) => {
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

  await row.getByRole('button', { name: m.desk_engines_edit(), exact: true }).click()
  const address = dialog.getByLabel(m.desk_engines_address())
  await dialog.getByLabel(m.desk_engines_name()).fill('Cluj North')
  await address.fill('https://moved.invalid')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The data centre has moved')
  await dialog.getByRole('button', { name: m.desk_engines_edit_verb(), exact: true }).click()
  await expect(dialog.getByText(refusal('engine_unreachable')).first()).toBeVisible()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  expect(complaints.splice(0)).toEqual([refusal('engine_unreachable')])
  await expectAccessible(page, 'an address that does not answer')
  await address.fill('https://engine.invalid')
  await dialog.getByRole('button', { name: m.desk_engines_edit_verb(), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText('Cluj North')

  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Motoare' })).toBeVisible()
  await row.getByRole('button', { name: inRomanian(m.desk_engines_edit), exact: true }).click()
  await expect(dialog).toContainText(inRomanian(() => m.desk_engines_edit_text({ code: 'cluj' })))
  await expectRomanian(page, 'the address of an engine')
  await dialog.getByRole('button', { name: inRomanian(m.cancel) }).click()
  await expectAccessible(page, 'engines')
  await expectRomanian(page, 'engines')
})

/** Usage of yesterday that was rejected, because the portal did not know its panel then. */
const reject = (folder: string) =>
  databaseIn(folder)(
    `with day as (select date_trunc('day', clock_now() at time zone 'utc') - interval '5 hours' as at), times as (
       select to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start,
         to_char(at + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as end from day)
     insert into usage_rejections (panel_engine_id, event_id, code, event)
     select p.panel_engine_id, 'late', c.code, jsonb_build_object('specversion', '1.0', 'id', 'late', 'source', 'engine',
       'type', 'usage.v1', 'subject', 'panel/' || p.id, 'data', jsonb_build_object('resource', 'panel',
       'meter', 'traffic_gb', 'start', t.start, 'end', t.end, 'quantity', '1'))::text
     from (select id, panel_engine_id from panels where status = 'active' order by id limit 1) p, times t,
       (values ('unknown_panel'), ('too_old')) c (code)`,
  )

test('an administrator reads why usage was rejected, and takes again what is known by now', async ({
  page,
  portal,
  baseURL,
}) => {
  await reject(portal.folder)
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/engines`)
  await page.getByRole('button', { name: m.desk_rejected({ events: 2 }) }).click()
  const dialog = page.getByRole('dialog')
  const cause = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await expect(cause(m.desk_rejected_unknown_panel())).toContainText(
    m.desk_rejected_count({ events: 1, takeable: 1 }),
  )
  await cause(m.desk_rejected_unknown_panel()).getByText(m.desk_rejected_example()).click()
  await expect(cause(m.desk_rejected_unknown_panel())).toContainText('"id": "late"')
  await expectAccessible(page, 'rejected usage')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The panel was brought over today')
  await dialog.getByRole('button', { name: m.desk_rejected_verb({ takeable: 1 }) }).click()
  await expect(page.getByText(m.desk_rejected_done({ taken: 1, before: 0 }))).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await signIn(page, 'support@demo.test')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await page.goto(`${deskHome}/engines`)
  await page.getByRole('button', { name: inRomanian(() => m.desk_rejected({ events: 1 })) }).click()
  await expect(dialog).toContainText(inRomanian(m.desk_rejected_too_old))
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page, 'rejected usage as support read it')
  await expectRomanian(page, 'rejected usage')
})
