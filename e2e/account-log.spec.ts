import type { Browser, Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import ro from '../web/src/texts/ro.json' with { type: 'json' }
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian } from './romanian.ts'

const lines = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading, exact: true }).getByRole('listitem')

async function openLog(page: Page): Promise<void> {
  await page.goto(`${href('manage-account')}#security-log`)
}

/** A second person in a separate browser. */
async function another(browser: Browser): Promise<Page> {
  return browser.newPage({ baseURL: process.env.PORTAL_URL ?? '', locale: 'en-US' })
}

const permissions = { billing: 'denied', tickets: 'denied', my_workspaces: 'allowed', workspaces: [] }

/** Shares the account with a person, extends their permissions, and has them use them. */
async function share(page: Page, guest: Page, email: string): Promise<void> {
  const owner = await api(page)
  const permission = await owner.create('share-permissions', { permissions })
  const relationship = { permission: { type: 'share-permissions', id: permission } }
  const invited = { first_name: 'Elena', last_name: 'Radu', invited_email: email }
  await owner.create('share-invitations', invited, relationship)
  await guest.goto(
    new URL(linkOf(await lastLetter(guest.request, email, /gives you access|invited to share/))).pathname,
  )
  await guest.getByRole('button', { name: m.invitation_accept() }).click()
  await expect(guest.getByRole('dialog', { name: 'Success!' })).toBeVisible()
  await owner.update('share-permissions', permission, {
    permissions: { ...permissions, add_panels: 'allowed' },
  })
  const project = (await owner.list('projects'))[0]?.id ?? ''
  await (await api(guest)).create(
    'panels',
    { name: 'elena-shop', plan_code: 'start' },
    { project: { type: 'projects', id: project } },
  )
}

test('an owner reads what they and their guests did, in both languages, and the guest does not', async ({
  page,
  browser,
}) => {
  await newcomer(page)
  const guest = await another(browser)
  const invited = await newcomer(guest)
  await inDatabase("update clients set first_name = 'Elena', last_name = 'Radu' where email = $1", invited)
  await share(page, guest, invited)
  await openLog(page)
  const log = lines(page, m.account_log())
  const line = (title: string) => log.filter({ hasText: title })
  await expect(line(m.event_panel_added({ name: 'elena-shop' }))).toContainText(
    m.act_by_guest({ name: 'Elena Radu' }),
  )
  const change = { field: m.permission_add(), before: m.change_denied(), after: m.change_allowed() }
  await expect(line(m.event_permission_changed({ email: invited }))).toContainText('Maria Ionescu')
  await expect(line(m.event_permission_changed({ email: invited }))).toContainText(m.change_of(change))
  await expect(line(m.event_invitation_accepted({ email: invited }))).toContainText('Elena Radu')
  await expect(line(m.event_invitation_sent({ email: invited }))).toContainText('Maria Ionescu')
  await expectAccessible(page, 'the log of an account')
  await openLog(guest)
  await expect(lines(guest, m.account_log()).first()).toBeVisible()
  await expect(lines(guest, m.account_log()).filter({ hasText: 'elena-shop' })).toHaveCount(0)
  await guest.context().close()
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: page.url() }])
  await page.reload()
  await expect(lines(page, ro.account_log).filter({ hasText: 'Elena Radu (invitat)' })).toHaveCount(2)
  await expectRomanian(page, 'the log of an account', ['elena-shop', 'My Workspace', 'Maria Ionescu'])
})
