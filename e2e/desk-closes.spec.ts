import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { expectRomanian } from './romanian.ts'

/** The month of the demo closes by itself, so the answer about a client whose bill was not issued is made up here. */
async function letOneWait(page: Page): Promise<void> {
  await page.route('**/api/v1/month-closes', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.data[0].attributes.waiting = 1
    await route.fulfill({ response, json })
  })
  await page.route('**/month-closes/*/-actions/previewVat*', (route) =>
    route.fulfill({
      json: {
        sums: [
          { currency: 'USD', country: 'DE', category: 'AE', rate: 0, bills: 1, net: 8, vat: 0, gross: 8 },
          {
            currency: 'USD',
            country: 'RO',
            category: 'S',
            rate: 21,
            bills: 2,
            net: 90,
            vat: 18.9,
            gross: 108.9,
          },
        ],
        totals: [{ currency: 'USD', bills: 3, net: 98, vat: 18.9, gross: 116.9 }],
        refused: 1,
        uncharged: 0,
        later: 0,
        counted: 4,
        next: null,
      },
    }),
  )
  await page.route(/month-closes\/\d+\/-actions\/preview(?:\?|$)/, (route) =>
    route.fulfill({
      json: {
        sums: [{ currency: 'USD', clients: 1, net: 12.5 }],
        clients: [
          {
            client_id: 999_999,
            client_name: 'Atelier SRL',
            currency: 'USD',
            net: 12.5,
            lacks: ['city'],
            reasons: ['billing_info_incomplete'],
            failed_at: '2026-11-01T03:05:00.000Z',
          },
        ],
      },
    }),
  )
}

test('billing sees that the month is closed', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await page.goto(deskHome)
  await page.getByRole('navigation').getByRole('link', { name: m.desk_closes_title() }).click()
  await expect(page.getByText(m.desk_close_closed_text())).toBeVisible()
  await expect(page.getByRole('button', { name: m.desk_close_month(), exact: true })).toHaveCount(0)
  await expectAccessible(page, 'closed month')
})

test('billing sees what a bill lacks, and is told when nothing is open any more', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'billing@demo.test')
  await letOneWait(page)
  await page.goto(`${deskHome}/closes`)
  const row = page.getByRole('listitem').filter({ hasText: 'Atelier SRL' })
  await expect(row).toContainText(m.desk_lacks_city())
  await row.getByRole('button', { name: m.desk_close_retry(), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_verb_reason()).fill('The address is complete')
  await dialog.getByRole('button', { name: m.desk_close_retry_verb(), exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('closed already')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: m.desk_close_month(), exact: true }).click()
  await dialog.getByLabel(m.desk_verb_reason()).fill('End of the month')
  await dialog.getByRole('button', { name: m.desk_close_month_verb(), exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The month is closed')
  expect(complaints.splice(0).filter((one) => !/closed/.test(one))).toEqual([])
})

test('billing reads the VAT by country and rate of the bills to come', async ({ page }) => {
  await signIn(page, 'billing@demo.test')
  await letOneWait(page)
  await page.goto(`${deskHome}/closes`)
  const table = page.getByRole('region', { name: m.desk_close_vat() }).getByRole('table')
  const home = table.getByRole('row').filter({ hasText: 'Romania' })
  await expect(home).toContainText('21%')
  await expect(home).toContainText('108.90')
  await expect(table.getByRole('row').filter({ hasText: 'Germany' })).toContainText(
    m.desk_close_vat_reverse(),
  )
  await expect(page.getByText(m.desk_close_vat_refused({ count: 1 }))).toBeVisible()
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the close is accessible, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'billing@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await letOneWait(page)
      await page.goto(`${deskHome}/closes`)
      await expect(page.getByRole('listitem').filter({ hasText: 'Atelier SRL' })).toContainText(
        'fără localitate',
      )
      await expectAccessible(page, 'close of the month')
      await expectRomanian(page, 'close of the month')
    })
  })
