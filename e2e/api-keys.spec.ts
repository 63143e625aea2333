import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'

const panels = '/api/v1/panels'

/** A program's call with a key, from where the browser is: the loopback. */
const calls = async (page: Page, secret: string) => {
  const answer = await page.request.get(panels, { headers: { authorization: `Bearer ${secret}` } })
  return answer.status()
}

/** Creates a key for some addresses, and returns what is shown once. */
async function create(page: Page, name: string, addresses: string): Promise<string> {
  await page.getByRole('button', { name: m.key_create() }).click()
  const dialog = page.getByRole('dialog', { name: m.key_create() })
  await dialog.getByRole('textbox', { name: m.key_name() }).fill(name)
  const field = dialog.getByRole('combobox', { name: m.key_addresses() })
  await field.fill(addresses)
  await field.press('Enter')
  await dialog
    .getByRole('radiogroup', { name: m.key_panels() })
    .getByText(m.key_read(), { exact: true })
    .click()
  await dialog.getByRole('button', { name: m.key_create_verb() }).click()
  const made = page.getByRole('dialog', { name: m.key_made({ name }) })
  const secret = await made.getByText(/^pk_[\w-]{43}$/).textContent()
  // Left by accident, it would be gone.
  await page.keyboard.press('Escape')
  await expect(made.getByText(m.key_secret_warning())).toBeVisible()
  await made.getByRole('button', { name: m.key_secret_kept() }).click()
  await expect(made).toBeHidden()
  return secret ?? ''
}

test('a key works from its addresses and from no other, until it is revoked', async ({ page }) => {
  await newcomer(page)
  await page.goto('/api-keys')
  await expect(page.getByText(m.key_none_title())).toBeVisible()
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
  await edit.getByRole('combobox', { name: m.key_addresses() }).fill('127.0.0.0/8')
  await edit.getByRole('button', { name: m.save() }).click()
  await expect(page.getByText(m.key_saved({ name: 'Office' }))).toBeVisible()
  expect(await calls(page, elsewhere)).toBe(200)
  await page.getByRole('button', { name: m.key_revoke_one({ name: 'Nightly' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: m.key_revoke_verb() }).click()
  await expect(row.getByText(m.key_revoked())).toBeVisible()
  expect([await calls(page, here), await calls(page, elsewhere)]).toEqual([401, 200])
})

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('keys can be used by everybody', async ({ page }) => {
      await newcomer(page)
      await page.goto('/api-keys')
      await create(page, 'Nightly', '203.0.113.0/24, 2001:db8::/32')
      await expectAccessible(page, 'the list of keys')
      await page.getByRole('button', { name: m.key_create() }).click()
      const dialog = page.getByRole('dialog', { name: m.key_create() })
      await dialog.getByRole('combobox', { name: m.key_addresses() }).fill('not-an-address')
      await dialog.getByRole('button', { name: m.key_create_verb() }).click()
      await expect(dialog.getByText(m.fault_api_address())).toBeVisible()
      await expectAccessible(page, 'making a key')
    })
  })
