import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn, test } from './fixtures.ts'

/** The labels of visible cells in which nothing is said and nothing can be pressed. */
const emptyRows = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('cell')
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.checkVisibility() && cell.textContent.trim() === '')
        .filter((cell) => cell.querySelector('button, input, select, img, svg') === null)
        .map((cell) => cell.getAttribute('data-label')),
    )

test.describe('at 360 pixels', () => {
  test.use({ viewport: { width: 360, height: 800 } })

  test('no card of a list has a line without a value', async ({ page }) => {
    await signIn(page, 'admin@demo.test')
    for (const list of ['letters', 'payments', 'clients', 'documents', 'panels', 'engines', 'log']) {
      await page.goto(`${deskHome}/${list}`)
      const table = page.getByRole('main').getByRole('table')
      await expect(table).not.toHaveAttribute('aria-busy', 'true')
      await expect(table.getByRole('row').nth(1)).toBeVisible()
      // The words of some cells are loaded after the list.
      await expect.poll(() => emptyRows(page), list).toEqual([])
    }
    // Rows of a client too: letters that wait for nobody, and means of payment.
    await page.goto(`${deskHome}/clients?search=Lumen`)
    await page.getByRole('link', { name: 'Lumen Studio SRL' }).click()
    for (const tab of [m.desk_tab_letters(), m.desk_tab_payments(), m.desk_tab_panels()]) {
      await page
        .getByRole('navigation', { name: m.desk_client_title() })
        .getByRole('link', { name: tab })
        .click()
      const table = page.getByRole('table', { name: tab })
      await expect(table).not.toHaveAttribute('aria-busy', 'true')
      await expect(table.getByRole('row').nth(1)).toBeVisible()
      await expect.poll(() => emptyRows(page), tab).toEqual([])
    }
  })
})

test('payments keep both days in one line, and name attempts only where there are any', async ({ page }) => {
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/payments?status=succeeded`)
  const table = page.getByRole('table', { name: m.desk_payments_title() })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  const topOf = async (label: string) => (await page.getByRole('textbox', { name: label }).boundingBox())?.y
  expect(await topOf(m.desk_log_to())).toBe(await topOf(m.desk_log_from()))
  await expect(table.getByRole('columnheader', { name: m.desk_column_attempts() })).toHaveCount(0)
  await expect(table.getByRole('columnheader', { name: m.desk_column_next() })).toHaveCount(0)
})
