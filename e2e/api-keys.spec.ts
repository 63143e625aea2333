import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { refusal } from './refusal.ts'

const panels = '/api/v1/panels'

/** A program's call with a key, from where the browser is: the loopback. */
const calls = async (page: Page, secret: string) => {
  const answer = await page.request.get(panels, { headers: { authorization: `Bearer ${secret}` } })
  return answer.status()
}

/** Creates a key for some addresses, and returns what is shown once. */
async function create(page: Page, name: string, addresses: string): Promise<string> {
  await page.getByRole('button', { name: m.key_create() }).first().click()
  const dialog = page.getByRole('dialog', { name: m.key_create() })
  await dialog.getByRole('textbox', { name: m.key_name() }).fill(name)
  const field = dialog.getByRole('textbox', { name: m.key_addresses() })
  await field.fill(addresses)
  await field.press('Enter')
  await dialog
    .getByRole('radiogroup', { name: m.key_panels() })
    .getByText(m.key_read(), { exact: true })
    .click()
  await dialog.getByRole('button', { name: m.key_create_verb() }).click()
  const made = page.getByRole('dialog', { name: m.key_made({ name }) })
  const secret = await made.getByText(/^pk_[\w-]{43}$/).textContent()
  await expect(made.getByText(/^curl/)).toHaveText(
    /^curl -H 'Authorization: Bearer pk_[\w-]+…' http.+\/api\/v1\/panels$/,
  )
  // Left by accident, it would be gone.
  await expect(made.getByRole('button', { name: m.copy(), exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(made.getByText(m.key_secret_warning())).toBeVisible()
  await made.getByRole('button', { name: m.key_secret_kept() }).click()
  await expect(made).toBeHidden()
  await expect(page.getByRole('button', { name: m.key_create() })).toBeFocused()
  return secret ?? ''
}

test('a key works from its addresses and from no other, until it is revoked', async ({ page }) => {
  await newcomer(page)
  await page.goto('/api-keys')
  await expect(page.getByText(m.key_none_title())).toBeVisible()
  // The name that programmers look for, under the one of the menu.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `${m.api_keys_title()} ${m.api_keys_name()}`,
  )
  await expect(page.getByRole('link', { name: m.key_docs() })).toHaveAttribute('href', '/api/docs')
  const here = await create(page, 'Nightly', '127.0.0.1, ::1')
  const elsewhere = await create(page, 'Office', '203.0.113.0/24')
  expect([await calls(page, here), await calls(page, elsewhere)]).toEqual([200, 401])
  const row = page.getByRole('listitem').filter({ hasText: 'Nightly' })
  await page.reload()
  await expect(row).toContainText('127.0.0.1')
  await expect(row).toContainText(m.key_last_used())
  await expect(page.getByText(here)).toHaveCount(0)
  await page.getByRole('button', { name: m.key_edit_one({ name: 'Office' }) }).click()
  const edit = page.getByRole('dialog', { name: m.key_edit() })
  await edit.getByRole('textbox', { name: m.key_addresses() }).fill('127.0.0.0/8')
  await edit.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.key_saved({ name: 'Office' }))).toBeVisible()
  expect(await calls(page, elsewhere)).toBe(200)
  await page.getByRole('button', { name: m.key_revoke_one({ name: 'Nightly' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.key_revoke_verb() }).click()
  await expect(row.getByText(m.key_revoked())).toBeVisible()
  expect([await calls(page, here), await calls(page, elsewhere)]).toEqual([401, 200])
})

test('a key ends at the moment that its maker chooses, whose minutes and seconds go by five', async ({
  page,
}) => {
  await newcomer(page)
  await page.goto(href('api-keys'))
  await page.getByRole('button', { name: m.key_create() }).first().click()
  const dialog = page.getByRole('dialog', { name: m.key_create() })
  await dialog.getByRole('textbox', { name: m.key_name() }).fill('Until then')
  await dialog.getByRole('textbox', { name: m.key_addresses() }).fill('127.0.0.1')
  await dialog
    .getByRole('radiogroup', { name: m.key_panels() })
    .getByText(m.key_read(), { exact: true })
    .click()
  await dialog.getByRole('combobox', { name: m.key_expires() }).selectOption(m.key_at_moment())
  const end = dialog.getByRole('textbox', { name: m.key_moment() })
  await end.fill('21.11.2020 14:30')
  await dialog.getByRole('button', { name: m.key_create_verb() }).click()
  await expect(dialog.getByText(m.key_moment_past())).toBeVisible()
  await end.fill('21.11.2090 14:30')
  await dialog.getByRole('button', { name: m.date_open({ label: m.key_moment() }) }).click()
  const picker = page.getByRole('dialog', { name: m.key_moment(), exact: true })
  await picker.getByRole('spinbutton', { name: m.date_minutes() }).press('ArrowUp')
  await picker.getByRole('spinbutton', { name: m.date_seconds() }).press('ArrowUp')
  await expect(end).toHaveValue('Nov 21, 2090, 14:35:05')
  await page.keyboard.press('Escape')
  await expect(picker).toBeHidden()
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: m.key_create_verb() }).click()
  const local = await page.evaluate(() => new Date('2090-11-21T14:35:05').toISOString())
  expect((await sent).postDataJSON().data.attributes.expires_at).toBe(local)
  await expect(page.getByRole('dialog', { name: m.key_made({ name: 'Until then' }) })).toBeVisible()
})

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('keys can be used by everybody', async ({ page }) => {
      await newcomer(page)
      await page.goto('/api-keys')
      await create(page, 'Nightly', '203.0.113.0/24, 2001:db8::/32')
      await expectAccessible(page, 'the list of keys')
      await page.getByRole('button', { name: m.key_create() }).first().click()
      const dialog = page.getByRole('dialog', { name: m.key_create() })
      await dialog.getByRole('textbox', { name: m.key_addresses() }).fill('not-an-address')
      await dialog.getByRole('button', { name: m.key_create_verb() }).click()
      await expect(dialog.getByText(refusal('api_address_invalid'))).toBeVisible()
      await expectAccessible(page, 'making a key')
    })
  })
