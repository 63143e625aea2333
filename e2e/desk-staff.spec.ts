import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const why = 'She joins the team on Monday'
const password = 'seven green bicycles'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function confirm(page: Page, title: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await confirmVerb(dialog, verb, why)
}

/** Invites a new person as an administrator. Returns their address and the link of their letter. */
async function invite(page: Page, name: string): Promise<{ email: string; link: string }> {
  const email = `${crypto.randomUUID()}@staff.example`
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/staff`)
  await page.getByRole('button', { name: m.desk_staff_invite(), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: m.desk_staff_invite_title() })
  await dialog.getByLabel(m.email()).fill(email)
  await dialog.getByLabel(m.desk_staff_invite_name()).fill(name)
  await dialog.getByLabel(m.desk_column_role()).selectOption(m.desk_role_billing())
  await confirm(page, m.desk_staff_invite_title(), m.desk_staff_invite_verb())
  await expect(rowOf(page, email)).toContainText(m.desk_staff_invited())
  return { email, link: linkOf(await lastLetter(page.request, email)) }
}

test('an invited person joins with a password, and is cut off and disabled by an administrator', async ({
  page,
  browser,
}) => {
  const { email, link } = await invite(page, 'Ioana')
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await expect(other.getByText(m.desk_join_lead({ email, role: m.desk_role_billing() }))).toBeVisible()
  await other.getByLabel(m.new_password(), { exact: true }).fill(password)
  await other.getByLabel(m.retype_password()).fill(password)
  await other.getByRole('button', { name: m.desk_join_password() }).click()
  await expect(other).toHaveURL(/manage-account#two-factor$/)
  await expect(other.getByRole('region', { name: m.account_two_factor(), exact: true })).toBeVisible()

  await page.reload()
  const row = rowOf(page, email)
  await expect(row).toContainText(m.desk_staff_active())
  await expect(row).toContainText(m.desk_staff_factor_off())
  await row.getByRole('button', { name: m.desk_staff_end() }).click()
  await confirm(page, m.desk_staff_end_title({ name: 'Ioana' }), m.desk_staff_end())
  await other.reload()
  await expect(other).toHaveURL(/\/login/)

  await row.getByRole('button', { name: m.desk_staff_role() }).click()
  await page.getByRole('dialog').getByLabel(m.desk_column_role()).selectOption(m.desk_role_readonly())
  await confirm(page, m.desk_staff_role_title({ name: 'Ioana' }), m.desk_staff_role())
  await expect(row).toContainText(m.desk_role_readonly())
  await row.getByRole('button', { name: m.desk_staff_disable() }).click()
  await confirm(page, m.desk_staff_disable_title({ name: 'Ioana' }), m.desk_staff_disable())
  await page.getByRole('combobox', { name: m.desk_staff_show() }).selectOption(m.desk_shown_disabled())
  await expect(page).toHaveURL(/state=disabled/)
  await row.getByRole('button', { name: m.desk_staff_enable() }).click()
  await confirm(page, m.desk_staff_enable_title({ name: 'Ioana' }), m.desk_staff_enable())
  await expect(row).toHaveCount(0)
  await other.context().close()
})

test('an invited person joins with a passkey, and the link is used up', async ({ page, browser }) => {
  const { link } = await invite(page, 'Mara')
  const other = await (await browser.newContext()).newPage()
  await addAuthenticator(other)
  await other.goto(link)
  await other.getByRole('button', { name: m.desk_join_passkey() }).click()
  await other.getByRole('button', { name: m.desk_join_passkey_again() }).click()
  // The passkey is the second factor, so that she works at once.
  await expect(other).toHaveURL(/\/desk\/?$/)
  await expect(other.getByRole('link', { name: m.desk_clients_title() })).toBeVisible()
  const late = await (await browser.newContext()).newPage()
  await late.goto(link)
  await expect(late.getByRole('heading', { name: m.link_used_title() })).toBeVisible()
  // Her device is lost.
  await page.reload()
  const row = rowOf(page, 'Mara')
  await expect(row).toContainText(m.desk_staff_factor_on())
  await row.getByRole('button', { name: m.desk_staff_factor(), exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(m.desk_staff_factor_text())
  await confirmVerb(page.getByRole('dialog'), m.desk_staff_factor(), 'She lost her telephone')
  await expect(page.getByText(m.desk_staff_factor_done())).toBeVisible()
  await expect(row).toContainText(m.desk_staff_factor_off())
  await other.reload()
  await expect(other).toHaveURL(/\/login/)
  await other.context().close()
  await late.context().close()
})

test('administrators have no verbs about themselves, and support have no such page', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('link', { name: m.desk_staff_title(), exact: true }).click()
  const own = rowOf(page, 'admin@demo.test')
  await expect(own).toContainText(m.desk_role_admin())
  await expect(own.getByRole('button')).toHaveCount(0)
  await signIn(page, 'support@demo.test')
  await page.goto(deskHome)
  await expect(page.getByRole('link', { name: m.desk_clients_title() })).toBeVisible()
  await expect(page.getByRole('link', { name: m.desk_staff_title(), exact: true })).toHaveCount(0)
})

test('a page that a role does not read is not found, as one that does not exist', async ({ page }) => {
  const hidden = { support: ['alerts', 'bank', 'accounting', 'e-factura', 'staff', 'log'], billing: ['jobs'] }
  for (const [role, names] of Object.entries(hidden)) {
    await signIn(page, `${role}@demo.test`)
    for (const name of names) {
      await page.goto(`${deskHome}/${name}`)
      await expect(page.getByRole('heading', { name: m.not_found_title() }), `${role} ${name}`).toBeVisible()
    }
  }
  await page.goto(`${deskHome}/bank`)
  await expect(page.getByRole('heading', { name: m.desk_bank_title(), level: 1 })).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the staff and the invitation are accessible, in Romanian too', async ({
      page,
      baseURL,
      browser,
    }) => {
      const { link } = await invite(page, 'Vlad')
      await expectAccessible(page, 'the staff')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: inRomanian(m.desk_staff_invite), exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'an invitation')
      await expectRomanian(page, 'an invitation')
      const context = await browser.newContext()
      await context.addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      const other = await context.newPage()
      await other.goto(link)
      await expect(other.getByRole('button', { name: inRomanian(m.desk_join_password) })).toBeVisible()
      await expectAccessible(other, 'joining the staff')
      await expectRomanian(other, 'joining the staff')
      await context.close()
    })
  })
