import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian } from './romanian.ts'

/** A newcomer whose balance staff corrected below zero. Leaves billing staff signed in. Returns their address. */
async function owingClient(page: Page): Promise<string> {
  const email = await newcomer(page)
  await signIn(page, 'billing@demo.test')
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': crypto.randomUUID(),
    'portico-reason': 'Opening debt',
  }
  const found = await page.request.get(`/api/v1/desk-clients?filter[search]=${email}`, { headers })
  const { data } = await found.json()
  const answer = await page.request.post(`/api/v1/desk-clients/${data[0].id}/-actions/adjust`, {
    data: { amount: 60, direction: 'down' },
    headers,
  })
  expect(answer.status()).toBe(200)
  return email
}

test('billing reminds a client of a debt, and holds what follows', async ({ page, complaints }) => {
  const email = await owingClient(page)
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_dunning_title(), exact: true }).click()
  await page.getByRole('button', { name: m.desk_column_since() }).click()
  await page.getByRole('button', { name: m.desk_column_since() }).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText(/\$\d+\.\d\d/)
  await expectAccessible(page, 'debts')
  const dialog = page.getByRole('dialog')
  const remind = async () => {
    await row.getByRole('button', { name: m.desk_remind(), exact: true }).click()
    await dialog.getByLabel(m.desk_verb_reason()).fill('They asked for it')
    await dialog.getByRole('button', { name: m.desk_remind_verb(), exact: true }).click()
  }
  await remind()
  // The policy may have sent its own letter today.
  await expect(dialog.getByRole('alert').or(page.getByText(m.desk_remind_done()))).not.toBeEmpty()
  await page.reload()
  await remind()
  await expect(dialog.getByRole('alert')).toContainText('today already')
  expect(complaints.splice(0).filter((one) => !one.includes('today already'))).toEqual([])
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: m.desk_hold(), exact: true }).click()
  const until = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByRole('textbox', { name: m.desk_hold_until() }).fill(until)
  await dialog.getByLabel(m.desk_verb_reason()).fill('Promised to pay')
  await dialog.getByRole('button', { name: m.desk_hold_verb(), exact: true }).click()
  await expect(row.getByRole('button', { name: m.desk_hold_end(), exact: true })).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('debts are accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/dunning`)
      await expect(page.getByRole('row').filter({ hasText: 'Ioana' })).toBeVisible()
      await expectAccessible(page, 'debts')
      await expectRomanian(page, 'debts')
    })
  })
