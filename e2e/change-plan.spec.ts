import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'

/** A new person opens a running panel of the plan Cluster 4. */
async function openPanel(page: Page, name: string): Promise<void> {
  await newcomer(page)
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  const dialog = page.getByRole('dialog', { name: m.panel_add() })
  await dialog.getByRole('radio', { name: /^Cluster 4/ }).click()
  await dialog.getByLabel(m.panel_name()).fill(name)
  await dialog.getByRole('button', { name: m.panel_add() }).click()
  const card = page.getByRole('article', { name })
  await expect(card.getByText(/^(Active|Degraded)$/)).toBeVisible({ timeout: 60_000 })
  await card.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

async function openDialog(page: Page, name: string) {
  await page.getByRole('button', { name: m.panel_menu({ name }) }).click()
  await page.getByRole('menuitem', { name: m.plan_change() }).click()
  return page.getByRole('dialog', { name: m.plan_change() })
}

test('a person changes the plan of a panel after seeing both prices', async ({ page }) => {
  await openPanel(page, 'shop')
  const dialog = await openDialog(page, 'shop')
  await expect(dialog.getByRole('radio', { name: /^Cluster 4/ })).toHaveCount(0)
  await dialog.getByRole('radio', { name: /^Start/ }).click()
  await expect(dialog.getByRole('row', { name: `${m.plan_change_month()} $40.00 $8.00` })).toBeVisible()
  await expectAccessible(page, 'change-plan')
  await dialog.getByRole('button', { name: m.plan_change() }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(/start · /, { timeout: 60_000 })
})

test('a company abroad reads that it owes the VAT itself', async ({ page }) => {
  await page.route('**/-actions/quotePlan*', async (route) => {
    const response = await route.fetch()
    const vat = { treatment: 'reverse_charge', country: 'DE', rate: 0, amount: 0, gross: 8 }
    await route.fulfill({ response, json: { ...(await response.json()), vat } })
  })
  await openPanel(page, 'abroad')
  const dialog = await openDialog(page, 'abroad')
  await expect(dialog.getByText(m.quote_reverse())).toBeVisible()
})

test('a plan that the panel cannot have says why, and cannot be confirmed', async ({ page }) => {
  await openPanel(page, 'nodes')
  const dialog = await openDialog(page, 'nodes')
  await dialog.getByRole('radio', { name: /^Mail 24/ }).click()
  await expect(dialog.getByRole('listitem')).toHaveText([
    'This plan needs a domain, and the panel was added without one.',
  ])
  await expect(dialog.getByRole('button', { name: m.plan_change() })).toBeDisabled()
})
