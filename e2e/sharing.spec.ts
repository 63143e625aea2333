import type { Browser, Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer, ownPassword } from './newcomer.ts'
import { refusal } from './refusal.ts'

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: m.team_title() }).getByRole('listitem').filter({ hasText: name })

/** A new person with a workspace and two panels, so that the demo data of other specs stays unchanged. */
async function ownerWithPanels(page: Page): Promise<string> {
  const email = await newcomer(page)
  const server = await api(page)
  await server.create('projects', { name: 'Production' })
  const [project] = await server.list('projects?filter[search]=Production')
  for (const name of ['web-one', 'web-two'])
    await server.create(
      'panels',
      { name, plan_code: 'start' },
      { project: { type: 'projects', id: project?.id ?? '' } },
    )
  return email
}

async function fillInvitation(page: Page, email: string, first = 'Elena'): Promise<void> {
  await page.goto(href('manage-permissions'))
  await field(page, m.first_name()).fill(first)
  await field(page, m.last_name()).fill('Radu')
  await field(page, m.email()).fill(email)
  await page.getByRole('radio', { name: m.preset_custom_text() }).check()
}

/** Invites to one panel of one workspace, and answers the link of the letter. */
async function invite(page: Page, email: string): Promise<string> {
  await fillInvitation(page, email)
  const which = page.getByRole('radiogroup', { name: m.permission_resources() })
  await which.getByText(m.level_custom()).click()
  await page.getByRole('radiogroup', { name: 'Production' }).getByText(m.level_custom()).click()
  await page.getByRole('checkbox', { name: 'web-one' }).check()
  const summary = page.getByRole('complementary', { name: m.may_title() })
  await expect(summary).toContainText(m.may_panels({ panels: 'web-one', name: 'Production' }))
  await page.getByRole('button', { name: m.invite_send() }).click()
  await expect(page).toHaveURL(href('team-members'))
  await expect(member(page, 'Elena Radu')).toContainText(m.invite_sent())
  await expect(member(page, 'Elena Radu')).toContainText(email)
  return new URL(linkOf(await lastLetter(page.request, email))).pathname
}

/** A browser of another person. */
async function another(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-US' })
  return context.newPage()
}

/** Opens an account on the way from an invitation. */
async function registerAs(page: Page, email: string): Promise<void> {
  await field(page, m.first_name()).fill('Elena')
  await field(page, m.last_name()).fill('Radu')
  // It is the invitation's, filled in already.
  await expect(field(page, m.email())).toHaveValue(email)
  await page.getByLabel(m.password(), { exact: true }).fill(ownPassword)
  await page.getByLabel(m.retype_password()).fill(ownPassword)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: m.register_title() }).click()
  await expect(page).toHaveURL(href('verify'))
  const { pathname } = new URL(linkOf(await lastLetter(page.request, email, /confirm/i)))
  await page.request.get(`/auth${pathname}`)
  await page.getByRole('link', { name: m.details_later() }).click()
}

test('a stranger is invited to one panel, registers, works there, is given more, and is removed', async ({
  page,
  browser,
  baseURL,
}) => {
  await ownerWithPanels(page)
  const email = `guest-${crypto.randomUUID()}@example.com`
  const link = await invite(page, email)

  const guest = await another(browser, baseURL)
  await guest.goto(link)
  await expect(guest.getByText(m.invitation_lead({ name: 'Maria Ionescu', email }))).toBeVisible()
  await expect(guest.getByText(m.may_panels({ panels: 'web-one', name: 'Production' }))).toBeVisible()
  await expect(guest.getByText(m.may_accounts())).toBeVisible()
  await guest.getByRole('link', { name: m.invitation_create({ email }) }).click()
  await registerAs(guest, email)
  await expect(guest).toHaveURL(link)
  await guest.getByRole('button', { name: m.invitation_accept() }).click()
  const dialog = guest.getByRole('dialog', { name: 'Success!' })
  await expect(dialog).toContainText('Invitation accepted successfully!')
  await dialog.getByRole('button', { name: m.go_on() }).click()
  await expect(guest).toHaveURL(href('invitation2'))
  await expect(
    guest.getByRole('heading', { name: m.invitation2_by({ name: 'Maria Ionescu' }) }),
  ).toBeVisible()
  await expect(guest.getByText(m.may_panels({ panels: 'web-one', name: 'Production' }))).toBeVisible()
  expect(await guest.evaluate(() => localStorage.getItem('invite_token'))).toBeNull()
  await guest.getByRole('link', { name: m.invitation2_go(), exact: true }).click()

  const panel = guest.getByRole('article', { name: 'web-one' })
  await expect(guest.getByRole('heading', { name: m.shared_from({ name: 'Maria Ionescu' }) })).toBeVisible()
  await expect(panel).toContainText('Production')
  await expect(guest.getByRole('article', { name: 'web-two' })).toHaveCount(0)
  await panel.getByRole('button', { name: m.panel_menu({ name: 'web-one' }) }).click()
  const reason = 'Maria has not allowed you to delete panels.'
  const denied = guest.getByRole('menuitem', { name: m.panel_delete() })
  await expect(denied).toBeDisabled()
  await expect(denied).toHaveAccessibleDescription(reason)
  await expect(guest.getByText(reason)).toBeVisible()
  // Keys reach what is denied, to read why.
  await guest.getByRole('menuitem', { name: m.panel_edit() }).press('ArrowDown')
  await expect(guest.getByRole('menuitem', { name: m.plan_change() })).toBeFocused()
  await guest.keyboard.press('ArrowDown')
  await expect(denied).toBeFocused()
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('dialog')).toHaveCount(0)
  await expectAccessible(guest, 'a menu with what is denied')
  await guest.keyboard.press('Escape')
  await panel.getByRole('link', { name: 'web-one' }).click()
  await expect(guest.getByRole('link', { name: m.shared_by({ name: 'Maria Ionescu' }) })).toBeVisible()

  await page.reload()
  await expect(member(page, 'Elena Radu')).toContainText(m.invite_accepted())
  await page.getByRole('button', { name: m.member_menu({ name: 'Elena Radu' }) }).click()
  await expect(page.getByRole('menuitem', { name: m.member_resend() })).toBeDisabled()
  await page.getByRole('menuitem', { name: m.member_manage() }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Elena Radu' })).toBeVisible()
  await page.getByRole('checkbox', { name: m.permission_delete_one() }).first().check()
  await page.getByRole('checkbox', { name: 'web-two' }).check()
  await page.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.edit_permissions_saved({ name: 'Elena Radu' }))).toBeVisible()

  await guest.goto('/')
  await expect(guest.getByRole('article', { name: 'web-two' })).toBeVisible()
  await guest.getByRole('button', { name: m.panel_menu({ name: 'web-two' }) }).click()
  await expect(guest.getByRole('menuitem', { name: m.panel_delete() })).toBeEnabled()

  await page.getByRole('button', { name: m.member_remove() }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Are you sure you want to delete invitation for Elena Radu?')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Invitation deleted successfully!')).toBeVisible()
  await expect(page).toHaveURL(href('team-members'))
  await expect(page.getByText(m.team_empty_title())).toBeVisible()
  await guest.goto('/')
  await expect(guest.getByText(m.shared_empty_title())).toBeVisible()
  await guest.context().close()
})

test('the invited person reads the company that invites, and how long they may stay in their own time', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await ownerWithPanels(page)
  await inDatabase(
    `update client_entities set account_type = 1, company_name = 'Lumen Studio SRL'
     where client_id = (select id from clients where email = $1)`,
    owner,
  )
  const email = `guest-${crypto.randomUUID()}@example.com`
  const link = await invite(page, email)
  const guest = await another(browser, baseURL)
  await guest.goto(link)
  const name = 'Maria Ionescu (Lumen Studio SRL)'
  await expect(guest.getByText(m.invitation_lead({ name, email }))).toBeVisible()
  await guest.context().close()
})

test.describe('in Bucharest', () => {
  test.use({ timezoneId: 'Europe/Bucharest' })

  test('access ends with the day where the owner is, and says in which time zone', async ({ page }) => {
    await ownerWithPanels(page)
    await fillInvitation(page, `guest-${crypto.randomUUID()}@example.com`)
    const which = page.getByRole('radiogroup', { name: m.permission_resources() })
    await which.getByText(m.level_custom()).click()
    await page.getByRole('radiogroup', { name: 'Production' }).getByText(m.level_custom()).click()
    await page.getByRole('checkbox', { name: 'web-one' }).check()
    const end = page.getByRole('textbox', { name: m.permission_expiry() })
    await expect(end).toHaveAccessibleDescription(m.permission_expiry_text({ zone: 'Europe/Bucharest' }))
    await end.fill('2090-01-21')
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/share-permissions'),
    )
    await page.getByRole('button', { name: m.invite_send() }).click()
    expect((await sent).postDataJSON().data.attributes.expires_at).toBe('2090-01-21T21:59:59.999Z')
    await expect(member(page, 'Elena Radu')).toContainText('until Jan 21, 2090, 11:59 PM GMT+2')
    await page.getByRole('button', { name: m.member_menu({ name: 'Elena Radu' }) }).click()
    await page.getByRole('menuitem', { name: m.member_manage() }).click()
    await expect(end).toHaveValue('Jan 21, 2090')
  })
})

test('an invitation is for its address alone, and says which', async ({ page, browser, baseURL }) => {
  await ownerWithPanels(page)
  const email = `guest-${crypto.randomUUID()}@example.com`
  const link = await invite(page, email)
  const other = await another(browser, baseURL)
  const own = await newcomer(other)
  await other.goto(link)
  // The page knows both addresses, so it offers no button that can only fail.
  await expect(other.getByText(m.invitation_for_other({ email, own }))).toBeVisible()
  await expect(other.getByRole('button', { name: m.invitation_accept() })).toHaveCount(0)
  await expect(other.getByRole('link', { name: m.invitation_sign_in_as({ email }) })).toBeVisible()
  await other.getByRole('link', { name: /^Stay signed in as / }).click()
  await expect(other.getByRole('heading', { level: 1, name: m.dashboard_title() })).toBeVisible()
  // The account was changed in another tab meanwhile.
  await other.route('**/api/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), email } })
  })
  await other.goto(link)
  const accepting = '**/-actions/acceptInvitation'
  await other.route(accepting, (route) =>
    route.fulfill({ status: 422, json: { errors: [{ status: '422', detail: 'It could not be saved.' }] } }),
  )
  await other.getByRole('button', { name: m.invitation_accept() }).click()
  const failed = other.getByRole('dialog', { name: 'Error!' })
  await expect(failed).toContainText('It could not be saved.')
  await failed.getByRole('button', { name: m.close() }).last().click()
  await other.unroute(accepting)
  await other.getByRole('button', { name: m.invitation_accept() }).click()
  const dialog = other.getByRole('dialog', { name: 'Invitation not accepted' })
  await expect(dialog).toContainText(
    `It looks like you're trying to access the panel with a different email than the one we invited. Please ensure that you are logged in using the email address where you received the invitation: ${email}.`,
  )
  expect(await other.evaluate(() => localStorage.getItem('invite_token'))).toBeNull()
  await dialog.getByRole('button', { name: m.close() }).last().click()
  await other.getByRole('link', { name: m.invitation_other_account({ email }) }).click()
  await expect(field(other, m.email())).toHaveValue(email)
  await other.context().close()
})

test('a letter is sent again, not too often, and the failure is said', async ({ page, complaints }) => {
  await ownerWithPanels(page)
  const email = `guest-${crypto.randomUUID()}@example.com`
  await invite(page, email)
  const resend = async () => {
    await page.getByRole('button', { name: m.member_menu({ name: 'Elena Radu' }) }).click()
    await page.getByRole('menuitem', { name: m.member_resend() }).click()
  }
  // The first letter is less than five minutes old.
  await resend()
  await expect(page.getByText('An error occurred!')).toBeVisible()
  // The seed wants its detail in the log.
  expect(complaints.splice(0)).toEqual(['A link was sent less than five minutes ago.'])
  await page.route('**/-actions/resendEmail', (route) => route.fulfill({ json: { status: true } }))
  await resend()
  const said = page.getByText('Success!The email was successfully sent to Elena Radu!')
  await expect(said.last()).toBeVisible()
})

test('faults are shown under their fields, the input stays, and nothing is left behind', async ({ page }) => {
  const own = await ownerWithPanels(page)
  await fillInvitation(page, own)
  const which = page.getByRole('radiogroup', { name: m.permission_resources() })
  await which.getByText(m.level_custom()).click()
  await page.getByRole('button', { name: m.invite_send() }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Please select a workspace!' })).toBeVisible()
  await which.getByText(m.level_all()).click()
  await page.getByRole('button', { name: m.invite_send() }).click()
  await expect(field(page, m.email())).toHaveAccessibleDescription(refusal('invitation_own_address'))
  await expect(field(page, m.first_name())).toHaveValue('Elena')
  expect(await (await api(page)).list('share-permissions')).toEqual([])
})

test('an invitation asks what to share first, and says what is missing', async ({ page }) => {
  await ownerWithPanels(page)
  await page.goto(href('manage-permissions'))
  await page.getByRole('button', { name: m.invite_send() }).click()
  await expect(field(page, m.first_name())).toBeFocused()
  await expect(page.getByRole('alert').filter({ hasText: m.preset_missing() })).toBeVisible()
  await expect(page.getByRole('group', { name: m.permission_group_account() })).toHaveCount(0)
  const summary = page.getByRole('complementary', { name: m.may_title() })
  await expect(summary).toContainText(m.may_nothing())
  await page.getByRole('radio', { name: m.preset_billing() }).check()
  await expect(page.getByRole('alert').filter({ hasText: m.preset_missing() })).toHaveCount(0)
  await expect(summary).toContainText(m.may_billing())
  await expectAccessible(page, 'an invitation')
  await page.getByRole('checkbox', { name: m.permission_tickets() }).check()
  await expect(page.getByRole('radio', { name: m.preset_custom_text() })).toBeChecked()
  await page.getByRole('radio', { name: m.preset_readonly() }).check()
  await expect(summary).toContainText(m.may_all_workspaces())
  await expect(summary).not.toContainText(m.may_billing())
})

test('an expired invitation is marked in the drawer and by resource', async ({ page }) => {
  await ownerWithPanels(page)
  const email = `guest-${crypto.randomUUID()}@example.com`
  await invite(page, email)
  await inDatabase(
    `update share_invitations set link_expires_at = now() - interval '1 day' where invited_email = $1`,
    email,
  )
  await page.goto('/')
  await page.getByRole('button', { name: m.share_access() }).click()
  await expect(page.getByRole('dialog', { name: m.team_title() })).toContainText(m.invite_link_expired())
  await page.goto(href('delegate-access'))
  await expect(page.getByRole('columnheader', { name: 'Elena Radu' })).toContainText(m.invite_link_expired())
  await expectAccessible(page, 'access by resource')
})

test('links and ids of nothing say so', async ({ page }) => {
  await newcomer(page)
  await page.goto(href('edit-permissions', { invitation_id: 999_999 }))
  await expect(page.getByRole('heading', { name: m.edit_permissions_gone_title() })).toBeVisible()
  await page.goto(href('invitation', { token: 'nobody-has-this' }))
  await expect(page.getByRole('heading', { name: m.invitation_gone_title() })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('invite_token'))).toBeNull()
})

test('a list that cannot be read says so in the bar’s drawer, and is asked for again', async ({ page }) => {
  await ownerWithPanels(page)
  await page.route('**/api/v1/share-invitations?*', (route) =>
    route.fulfill({ status: 400, json: { errors: [{ detail: 'No.' }] } }),
  )
  await page.goto('/')
  await page.getByRole('button', { name: m.share_access() }).click()
  const drawer = page.getByRole('dialog', { name: m.team_title() })
  await expect(drawer.getByText('Load error')).toBeVisible()
  await expect(drawer.getByText('An error has occured while loading data')).toBeVisible()
  await page.unroute('**/api/v1/share-invitations?*')
  await drawer.getByRole('button', { name: m.retry() }).click()
  await expect(drawer.getByText(m.team_empty_title())).toBeVisible()
  await drawer.getByRole('link', { name: m.invite() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.manage_permissions_title() })).toBeVisible()
})

test('access is listed by resource, and one panel is revoked', async ({ page }) => {
  await ownerWithPanels(page)
  await fillInvitation(page, `guest-${crypto.randomUUID()}@example.com`)
  await page.getByRole('button', { name: m.invite_send() }).click()
  await expect(page).toHaveURL(href('team-members'))
  await page.getByRole('link', { name: m.team_by_resource() }).click()
  const of = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell')
  await expect(of('web-one')).toContainText(m.delegate_by_all())
  await expect(page.getByRole('columnheader', { name: 'Elena Radu' })).toContainText(m.delegate_waiting())
  await page
    .getByRole('button', { name: m.delegate_revoke_one({ name: 'Elena Radu', thing: 'web-one' }) })
    .click()
  const question = page.getByRole('dialog', { name: m.delegate_revoke_title({ thing: 'web-one' }) })
  await question.getByRole('button', { name: m.delegate_revoke(), exact: true }).click()
  await expect(of('web-one')).toHaveText('–')
  await expect(of('web-two')).toContainText(m.delegate_by_panel())
})

test('the top bar marks an unanswered invitation', async ({ page }) => {
  await ownerWithPanels(page)
  await invite(page, `guest-${crypto.randomUUID()}@example.com`)
  await page.goto('/')
  await expect(page.getByRole('button', { name: m.share_access() })).toContainText(m.share_waiting())
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('an invitation that is open breaks no rule', async ({ page }) => {
      await ownerWithPanels(page)
      await page.goto(await invite(page, `guest-${crypto.randomUUID()}@example.com`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page, 'invitation')
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(look.width)
    })
  })

test('a guest is not shown a form for what was opened to them', async ({ page }) => {
  await signIn(page, 'mihai@demo.test')
  const server = await api(page)
  const [shared] = await server.list('client-panels')
  const [received] = await server.list(`share-invitations?filter[client_id]=${shared?.attributes.owner_id}`)
  expect(received).toBeDefined()
  await page.goto(`/edit-permissions/${received?.id}`)
  await expect(page.getByText(m.edit_permissions_others_text())).toBeVisible()
  await expect(page.getByRole('button', { name: m.save() })).toHaveCount(0)
})
