import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { lastLetter } from './letters.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer, ownPassword } from './newcomer.ts'
import { refusal } from './refusal.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const why = 'Asked for it in T-4K7Q'

async function openClient(page: Page, email: string, staff: string): Promise<void> {
  await signIn(page, staff)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await expect(page.getByRole('button', { name: m.desk_client_more(), exact: true })).toBeVisible()
}

async function choose(page: Page, verb: string) {
  await page.getByRole('button', { name: m.desk_client_more(), exact: true }).click()
  await page.getByRole('menuitem', { name: verb }).click()
  return page.getByRole('dialog')
}

async function confirm(page: Page, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await confirmVerb(dialog, verb, why)
}

test('billing set when the invoices of a client are due, and too long a term is explained', async ({
  page,
  complaints,
}) => {
  await openClient(page, await newcomer(page), 'billing@demo.test')
  await expect(page.getByText(m.desk_terms_default())).toBeVisible()
  const dialog = await choose(page, m.desk_terms())
  await dialog.getByLabel(m.desk_terms_days()).fill('400')
  await dialog.getByLabel(m.desk_verb_reason()).fill(why)
  await dialog.getByRole('button', { name: m.desk_terms_verb() }).click()
  await expect(dialog.getByRole('alert')).toContainText(refusal('number_most', { most: 365 }))
  complaints.splice(0)
  await dialog.getByLabel(m.desk_terms_days()).fill('45')
  await dialog.getByRole('button', { name: m.desk_terms_verb() }).click()
  await expect(page.getByText(m.desk_terms_after({ count: 45 }))).toBeVisible()
})

test('support prepare the copy of the data and close the account; an administrator asks for its erasure', async ({
  page,
}) => {
  const email = await newcomer(page)
  await openClient(page, email, 'support@demo.test')
  await choose(page, m.desk_export_data())
  await confirm(page, m.desk_export_data_verb())
  await choose(page, m.desk_close())
  await expectAccessible(page, 'the end of an account')
  await confirm(page, m.desk_close_verb())
  await expect(page.getByText(m.desk_client_closed(), { exact: true }).first()).toBeVisible()
  expect((await lastLetter(page.request, email, /closed your account/)).text).toContain(why)
  const refused = await page.request.post('/auth/login', { data: { email, password: ownPassword } })
  expect(refused.status()).toBe(401)
  // Nothing is left that support may do with it.
  await expect(page.getByRole('button', { name: m.desk_client_more(), exact: true })).toHaveCount(0)

  await openClient(page, email, 'admin@demo.test')
  const dialog = await choose(page, m.desk_erase())
  await dialog.getByLabel(m.desk_erase_email({ email })).fill(email)
  await confirm(page, m.desk_second_ask())
  await page.goto(`${deskHome}/requests`)
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Erasure of an account')
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the rarer verbs of a client are accessible, in Romanian too', async ({ page, baseURL }) => {
      const email = await newcomer(page)
      await openClient(page, email, 'admin@demo.test')
      await page.getByRole('button', { name: m.desk_client_more(), exact: true }).click()
      await expect(page.getByRole('menuitem', { name: m.desk_terms() })).toBeVisible()
      await expectAccessible(page, 'the verbs of a client')
      await page.keyboard.press('Escape')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await page.getByRole('button', { name: inRomanian(m.desk_client_more), exact: true }).click()
      await expectRomanian(page, 'the verbs of a client')
    })
  })
