import type { Page } from '@playwright/test'
import { deskHome, href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { newcomer, signInAs } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const why = 'Her laptop was stolen on the train'

/** Opens the sign-ins of a client. */
async function openSignIns(page: Page, email: string, staff: string, clients: string): Promise<void> {
  await signIn(page, staff)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await expect(page.getByRole('heading', { level: 1, name: clients })).toBeVisible()
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await expect(page).toHaveURL(/\/clients\/\d+$/)
  await page.goto(`${page.url()}/sign-ins`)
}

test('support end the sessions of a client, whose open page asks to sign in, and who reads why', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = await newcomer(page)
  await page.goto(href('dashboard'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const staff = await context.newPage()
  await openSignIns(staff, email, 'support@demo.test', m.desk_clients_title())
  await staff.getByRole('button', { name: m.desk_end_sessions() }).click()
  const dialog = staff.getByRole('dialog', {
    name: m.desk_end_sessions_title({ name: 'Maria Ionescu' }),
  })
  await expect(dialog.getByRole('button', { name: m.desk_end_sessions_verb() })).toBeDisabled()
  await expectAccessible(staff, 'the end of the sessions of a client')
  await confirmVerb(dialog, m.desk_end_sessions_verb(), why)
  await expect(staff.getByText(m.desk_end_sessions_done(), { exact: true })).toBeVisible()
  await expect(
    staff.getByRole('table', { name: m.desk_tab_sign_ins() }).getByText(m.event_session_ended()),
  ).toBeVisible()
  await context.close()

  await page.goto(href('manage-account'))
  await expect(page).toHaveURL(/\/login/)
  expect((await lastLetter(page.request, email, /signed you out/)).text).toContain(why)
  await signInAs(page, email)
  await page.goto(`${href('manage-account')}#security-log`)
  await expect(page.getByText(m.event_sessions_ended_by_support({ reason: why }))).toBeVisible()
})

test('an administrator ends them in Romanian, reads it in the log of the client, and billing may not', async ({
  page,
  baseURL,
}) => {
  const email = await newcomer(page)
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await openSignIns(page, email, 'admin@demo.test', inRomanian(m.desk_clients_title))
  await page.getByRole('button', { name: inRomanian(m.desk_end_sessions) }).click()
  await expectRomanian(page, 'the end of the sessions of a client', ['Maria Ionescu'])
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(inRomanian(m.desk_verb_reason)).fill('I s-a furat laptopul')
  await dialog.getByRole('button', { name: inRomanian(m.desk_end_sessions_verb), exact: true }).click()
  await expect(dialog).toHaveCount(0)
  const signIns = page.url()
  await page.goto(signIns.replace(/sign-ins$/, 'log'))
  await expect(page.getByRole('row').filter({ hasText: 'I s-a furat laptopul' })).toBeVisible()

  await signIn(page, 'billing@demo.test')
  await page.goto(signIns)
  await expect(page.getByRole('table', { name: inRomanian(m.desk_tab_sign_ins) })).toBeVisible()
  await expect(page.getByRole('button', { name: inRomanian(m.desk_end_sessions) })).toHaveCount(0)
})
