import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase, letSignInAge } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer, ownPassword, signInAs } from './newcomer.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const weekMs = 7 * 24 * 3_600_000
const why = 'It sends spam – 4 000 letters an hour'

/** A new person with a running panel. Returns their address. */
async function makeClient(page: Page): Promise<string> {
  const email = await newcomer(page)
  const portal = await api(page)
  const [project] = await portal.list('projects')
  const to = { project: { type: 'projects', id: project?.id ?? '' } }
  await portal.create('panels', { name: 'shop', plan_code: 'start' }, to)
  await expect(async () => {
    const [panel] = await portal.list('panels')
    // A server of the simulated engine may be degraded by chance.
    expect(['active', 'degraded']).toContain(panel?.attributes.status)
  }).toPass()
  return email
}

/** Opens the page of a client as a member of staff. */
async function openClient(page: Page, email: string, staff: string): Promise<void> {
  await signIn(page, staff)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await expect(page.getByRole('table', { name: m.desk_tab_panels() }).getByText('shop')).toBeVisible()
}

const rowOf = (page: Page) => page.getByRole('row').filter({ hasText: 'shop' })

/** Opens the rarer verbs of a client. */
async function openMenu(page: Page) {
  await page.getByRole('button', { name: m.desk_client_more(), exact: true }).click()
  return page.getByRole('menu')
}
const choose = async (page: Page, verb: string) =>
  (await openMenu(page)).getByRole('menuitem', { name: verb }).click()

/** Chooses a rarer verb of the panel. */
async function chooseOfPanel(page: Page, verb: string) {
  await rowOf(page)
    .getByRole('button', { name: m.desk_panel_more({ name: 'shop' }) })
    .click()
  await page.getByRole('menuitem', { name: verb }).click()
}

async function confirm(page: Page, title: RegExp, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog.getByRole('button', { name: verb })).toBeDisabled()
  await confirmVerb(dialog, verb, why)
}

test('support stop a panel, its owner reads why, and it runs again once the stop is lifted', async ({
  page,
}) => {
  const email = await makeClient(page)
  await openClient(page, email, 'support@demo.test')
  const menu = await openMenu(page)
  await expect(menu.getByRole('menuitem', { name: m.desk_close() })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: m.desk_block() })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await rowOf(page).getByRole('button', { name: m.desk_panel_stop() }).click()
  await confirm(page, /^Stop the panel shop/, m.desk_panel_stop_verb())
  await expect(rowOf(page)).toContainText('Suspended')
  const address = page.url()

  expect((await lastLetter(page.request, email, /stopped one of your panels/)).text).toContain(why)
  await page
    .getByRole('navigation', { name: m.desk_client_title() })
    .getByRole('link', { name: m.desk_tab_letters() })
    .click()
  const letters = page.getByRole('row', { name: /Panel stopped by staff/ })
  await expect(async () => {
    await page.reload()
    await expect(letters.getByRole('button', { name: m.desk_letter_retry() })).toBeVisible({ timeout: 6000 })
  }).toPass()
  await letters.getByRole('button', { name: m.desk_letter_retry() }).click()
  await confirm(page, /^Send this letter again/, m.desk_letter_retry())
  await expect(letters).toHaveCount(2)
  await signInAs(page, email)
  await page.goto('/')
  await page.getByRole('link', { name: 'shop', exact: true }).click()
  await page.getByRole('tab', { name: m.panel_activity() }).click()
  await expect(page.getByText(m.panel_act_stopped_for({ reason: why }))).toBeVisible()

  await signIn(page, 'support@demo.test')
  await page.goto(address)
  await rowOf(page).getByRole('button', { name: m.desk_panel_resume() }).click()
  await confirm(page, /^Let the panel shop run again/, m.desk_panel_resume_verb())
  await expect(rowOf(page).getByRole('button', { name: m.desk_panel_stop() })).toBeVisible()
})

test('a client whom an administrator blocks is out, and in again once the block is lifted', async ({
  page,
}) => {
  const email = await makeClient(page)
  await openClient(page, email, 'admin@demo.test')
  await choose(page, m.desk_block())
  await confirm(page, /^Block Maria Ionescu/, m.desk_block_verb())
  await expect(page.getByText(m.desk_client_blocked(), { exact: true })).toBeVisible()
  await expect(rowOf(page)).toContainText('Suspended')
  // A panel that was blocked can only be deleted, by two persons.
  await expect(rowOf(page).getByRole('button')).toHaveCount(1)
  await chooseOfPanel(page, m.desk_panel_terminate())
  const deletion = page.getByRole('dialog', { name: m.desk_panel_terminate_title({ name: 'shop' }) })
  await deletion.getByLabel(m.desk_panel_terminate_name({ name: 'shop' })).fill('shop')
  await expectAccessible(page, 'the deletion of a panel')
  await confirm(page, /^Delete the panel shop/, m.desk_second_ask())
  const refused = await page.request.post('/auth/login', { data: { email, password: ownPassword } })
  expect(refused.status()).toBe(401)

  await choose(page, m.desk_unblock())
  await confirm(page, /^Lift the block of Maria Ionescu/, m.desk_unblock_verb())
  await expect((await openMenu(page)).getByRole('menuitem', { name: m.desk_block() })).toBeVisible()
  await signInAs(page, email)
  await page.goto(href('dashboard'))
  await expect(page.getByRole('link', { name: 'shop', exact: true })).toBeVisible()
})

test('billing send a client who waits the confirmation of their address again', async ({ page }) => {
  const email = await makeClient(page)
  await inDatabase('update auth_accounts set verified_at = null where email = $1', email)
  await inDatabase('update clients set email_verified_at = null where email = $1', email)
  await openClient(page, email, 'billing@demo.test')
  const first = await lastLetter(page.request, email, /Confirm your e-mail/)
  await choose(page, m.desk_confirmation())
  await confirm(page, /^Send Maria Ionescu the confirmation again/, m.desk_confirmation_verb())
  await expect
    .poll(async () => (await lastLetter(page.request, email, /Confirm your e-mail/)).text)
    .not.toBe(first.text)
})

test('support flag a client for their colleagues, and find them by the flag', async ({ page }) => {
  const email = await makeClient(page)
  await openClient(page, email, 'support@demo.test')
  await choose(page, m.desk_flag())
  const dialog = page.getByRole('dialog', { name: /^Flags of Maria Ionescu/ })
  await dialog.getByLabel(m.desk_flag_watch()).check()
  await expectAccessible(page, 'the flags of a client')
  await confirm(page, /^Flags of Maria Ionescu/, m.desk_flag_verb())
  await expect(page.getByText(m.desk_flag_watch(), { exact: true })).toBeVisible()
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  const flag = page.getByRole('combobox', { name: m.desk_clients_flag() })
  await flag.selectOption(m.desk_flag_vip())
  await expect(page.getByRole('link', { name: 'Maria Ionescu' })).toHaveCount(0)
  await flag.selectOption(m.desk_flag_watch())
  await expect(page.getByRole('link', { name: 'Maria Ionescu' })).toBeVisible()
  await expectAccessible(page, 'the clients with a flag')
})

test('support stop all panels of a client, who adds none meanwhile, and an administrator asks for their end', async ({
  page,
}) => {
  const email = await makeClient(page)
  await openClient(page, email, 'support@demo.test')
  await chooseOfPanel(page, m.desk_panel_sync())
  await confirm(page, /^Read the panel shop/, m.desk_panel_sync_verb())
  await choose(page, m.desk_stop_all())
  await expectAccessible(page, 'the stop of all panels')
  await confirm(page, /^Stop all panels of Maria Ionescu/, m.desk_stop_all_verb())
  await expect(page.getByText(m.desk_client_stopped(), { exact: true })).toBeVisible()
  await expect(rowOf(page)).toContainText('Suspended')
  const address = page.url()
  const letter = await lastLetter(page.request, email, /stopped the panels of your account/)
  expect(letter.text).toContain('shop')
  expect(letter.text).toContain(why)
  await signInAs(page, email)
  const portal = await api(page)
  const [project] = await portal.list('projects')
  const to = { project: { type: 'projects', id: project?.id ?? '' } }
  const added = portal.create('panels', { name: 'blog', plan_code: 'start' }, to)
  await expect(added).rejects.toThrow(/gave 423.*account_stopped/)

  await signIn(page, 'admin@demo.test')
  await page.goto(address)
  await choose(page, m.desk_terminate_all())
  await page.getByLabel(m.desk_erase_email({ email })).fill(email)
  await confirm(page, /^Delete all panels of Maria Ionescu/, m.desk_second_ask())
  await choose(page, m.desk_resume_all())
  await confirm(page, /^Let the panels of Maria Ionescu run again/, m.desk_resume_all_verb())
  await expect(page.getByText(m.desk_client_stopped(), { exact: true })).toHaveCount(0)
  await expect(rowOf(page).getByRole('button', { name: m.desk_panel_stop() })).toBeVisible()
})

test('billing hold the suspension until a day, and a day too far keeps what was typed', async ({
  page,
  complaints,
}) => {
  const email = await makeClient(page)
  await openClient(page, email, 'billing@demo.test')
  await page.getByRole('button', { name: m.desk_hold() }).click()
  const dialog = page.getByRole('dialog', { name: /^Hold the suspension of/ })
  const until = dialog.getByRole('textbox', { name: m.desk_hold_until() })
  await until.fill('2099-01-01')
  await dialog.getByLabel(m.desk_verb_reason()).fill(why)
  await dialog.getByRole('button', { name: m.desk_hold_verb() }).click()
  const tooFar = refusal('hold_out_of_range', { days: 90 })
  await expect(dialog.getByRole('alert')).toHaveText(tooFar)
  expect(complaints.splice(0)).toEqual([tooFar])
  await expect(dialog.getByLabel(m.desk_verb_reason())).toHaveValue(why)
  await until.fill(new Date(Date.now() + weekMs).toISOString().slice(0, 10))
  await dialog.getByRole('button', { name: m.desk_hold_verb() }).click()
  await expect(page.getByRole('button', { name: m.desk_hold_end() })).toBeVisible()
})

test('an alert is read with its advice and facts, resolved with a reason, and kept with it', async ({
  page,
}) => {
  const file = `lost-${crypto.randomUUID()}`
  await inDatabase(
    `insert into staff_alerts (kind, about, detail) values ('file_missing', $1, '{"key": "a/b.pdf", "inner": 1}')`,
    `ticket file ${file}`,
  )
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('link', { name: /\d+ alerts? to resolve/ }).click()
  const row = page.getByRole('row').filter({ hasText: file })
  await expect(row).toContainText(m.alert_file_missing())
  await expect(row).toContainText('Restore it from a backup.')
  await expect(row).toContainText('File: a/b.pdf')
  await expect(row).not.toContainText('inner')
  await row.getByRole('combobox', { name: /^Who looks after the alert/ }).selectOption('Adela')
  await expect(page.getByText(m.ticket_not_done())).toHaveCount(0)
  await row.getByRole('button', { name: m.desk_alert_resolve() }).click()
  await confirm(page, /^Resolve this alert/, m.desk_alert_resolve_verb())
  await expect(row).toHaveCount(0)
  await page.getByRole('combobox', { name: m.desk_clients_show() }).selectOption(m.desk_alerts_resolved())
  await expect(row).toContainText(why)
})

test('a sign-in of long ago is confirmed in the dialog, and the panel is stopped', async ({ page }) => {
  const email = await makeClient(page)
  const colleague = await newcomer(page)
  await inDatabase(
    `insert into admins (auth_id, email, display_name, role, totp_required)
      select auth_id, email, 'Dora', 'support', false from clients where email = $1`,
    colleague,
  )
  await signInAs(page, colleague)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await rowOf(page).getByRole('button', { name: m.desk_panel_stop() }).click()
  await letSignInAge(colleague)
  const stop = page.getByRole('dialog', { name: /^Stop the panel shop/ })
  await stop.getByLabel(m.desk_verb_reason()).fill(why)
  await stop.getByRole('button', { name: m.desk_panel_stop_verb() }).click()
  const check = page.getByRole('dialog', { name: m.identity_check_title() })
  await check.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await check.getByRole('button', { name: m.confirm() }).click()
  await expect(rowOf(page)).toContainText('Suspended')
})

test('staff note about a client what their colleagues read, pinned above everything', async ({ page }) => {
  const email = await makeClient(page)
  await openClient(page, email, 'billing@demo.test')
  const address = page.url()
  await page.getByRole('link', { name: m.desk_tab_notes(), exact: true }).click()
  const parts = page.getByRole('navigation', { name: m.desk_client_title() })
  await expect(parts.getByRole('link', { name: m.desk_tab_overview() })).not.toHaveAttribute('aria-current')
  const note = page.getByLabel(m.desk_note(), { exact: true })
  await note.fill('Pays by transfer on the 10th')
  await page.getByRole('button', { name: m.desk_note_add() }).click()
  await expect(note).toHaveValue('')
  const row = page.getByRole('row').filter({ hasText: 'on the 10th' })
  await row.getByRole('button', { name: m.desk_note_pin() }).click()
  await expect(row.getByRole('button', { name: m.desk_note_unpin() })).toBeVisible()
  await expectAccessible(page, 'the notes of a client')

  await signIn(page, 'support@demo.test')
  await page.goto(address)
  await expect(page.getByText('Pays by transfer on the 10th', { exact: true })).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the dialogs of a client are accessible, in Romanian too', async ({ page, baseURL }) => {
      const email = await makeClient(page)
      await openClient(page, email, 'admin@demo.test')
      await rowOf(page).getByRole('button', { name: m.desk_panel_stop() }).click()
      await page.getByLabel(m.desk_stop_kind()).selectOption(m.desk_stop_order())
      await expect(page.getByLabel(m.desk_stop_letter())).toBeVisible()
      await expectAccessible(page, 'the stop of a panel')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: inRomanian(m.desk_client_more), exact: true }).click()
      await page.getByRole('menuitem', { name: inRomanian(m.desk_block) }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'the block of a client')
      await expectRomanian(page, 'the block of a client')
      await inDatabase(
        `insert into staff_alerts (kind, about, detail) values ('job_failed', $1, '{"last_error": "The office did not answer"}') on conflict do nothing`,
        `job ${look.width}`,
      )
      await page.goto(`${deskHome}/alerts`)
      await expect(page.getByRole('row').filter({ hasText: `job ${look.width}` })).toBeVisible()
      await expectAccessible(page, 'the alerts')
      await expectRomanian(page, 'the alerts')
    })
  })

test('billing charge a client by a list of prices from a day on, and are told of a wrong day', async ({
  page,
  complaints,
}) => {
  const email = await makeClient(page)
  await inDatabase(
    `insert into price_lists (code, currency) select 'agencies', u.code from clients c join currencies u on u.id = c.currency_id
     where c.email = $1 on conflict do nothing`,
    email,
  )
  await openClient(page, email, 'billing@demo.test')
  await choose(page, m.desk_list())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_list_label()).selectOption('agencies')
  await dialog.getByRole('textbox', { name: m.desk_list_from() }).fill('2026-01-01')
  await dialog.getByLabel(m.desk_verb_reason()).fill('An agency')
  await dialog.getByRole('button', { name: m.desk_list_verb() }).click()
  await expect(dialog.getByRole('alert')).toContainText('days that are charged keep theirs')
  await expectAccessible(page, 'prices of a client')
  complaints.splice(0)
  await dialog.getByRole('textbox', { name: m.desk_list_from() }).fill('2099-01-01')
  await dialog.getByRole('button', { name: m.desk_list_verb() }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('agencies from')).toBeVisible()
})
