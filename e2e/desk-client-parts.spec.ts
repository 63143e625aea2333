import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { ana, expect, signIn, test } from './fixtures.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

/** Opens the page of Ana, who uses, shares and pays. */
async function openAna(page: Page, staff: string): Promise<string> {
  await signIn(page, staff)
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(ana)}`)
  await page.getByRole('link', { name: 'Lumen Studio SRL' }).click()
  await expect(page).toHaveURL(/\/clients\/\d+$/)
  return page.url()
}
const tabs = (page: Page) => page.getByRole('navigation', { name: m.desk_client_title() })

test('billing read what a client used, and by which cards and rule they pay', async ({ page }) => {
  await openAna(page, 'billing@demo.test')
  await tabs(page).getByRole('link', { name: m.desk_tab_usage() }).click()
  const sums = page.getByRole('list', { name: m.desk_usage_by_panel() })
  await expect(sums.getByRole('listitem').filter({ hasText: 'web-eu1' })).toContainText(/\d\.\d\d/)
  const lines = page.getByRole('table', { name: m.desk_tab_usage() })
  await expect(lines.getByRole('row').nth(1)).toContainText(/\d/)
  await lines.getByRole('columnheader', { name: m.usage_amount() }).getByRole('button').click()
  await expect(lines.getByRole('columnheader', { name: m.usage_amount() })).toHaveAttribute(
    'aria-sort',
    /ascending|descending/,
  )
  await expectAccessible(page, 'the usage of a client')

  await tabs(page).getByRole('link', { name: m.desk_tab_payments() }).click()
  const cards = page.getByRole('region', { name: m.cards_title() })
  await expect(cards.getByRole('listitem').first()).toContainText('••••')
  await expect(cards.getByRole('button')).toHaveCount(0)
  const rule = page.getByRole('region', { name: m.auto_title() })
  await expect(rule).toContainText(/topped up from/)
  await expect(
    rule.getByRole('list', { name: m.auto_decisions() }).getByRole('listitem').first(),
  ).toBeVisible()
  await expectAccessible(page, 'the cards of a client')
})

test('support read whom a client lets in, what they use and pay, and neither their cards nor their rule', async ({
  page,
}) => {
  await openAna(page, 'support@demo.test')
  await tabs(page).getByRole('link', { name: m.desk_tab_usage() }).click()
  const sums = page.getByRole('list', { name: m.desk_usage_by_panel() })
  await expect(sums.getByRole('listitem').filter({ hasText: 'web-eu1' })).toContainText(/\d\.\d\d/)
  await tabs(page).getByRole('link', { name: m.desk_tab_money() }).click()
  await expect(page.getByRole('table', { name: m.desk_tab_money() }).getByRole('row').nth(1)).toContainText(
    /\d/,
  )
  await tabs(page).getByRole('link', { name: m.desk_tab_payments() }).click()
  const payments = page.getByRole('table', { name: m.desk_tab_payments() })
  await expect(payments.getByRole('row').nth(1)).toContainText(/\d\.\d\d/)
  for (const column of [m.card(), m.desk_column_verbs()])
    await expect(payments.getByRole('columnheader', { name: column, exact: true })).toHaveCount(0)
  await expect(payments.getByRole('button', { name: m.desk_refund() })).toHaveCount(0)
  await expect(page.getByRole('region', { name: m.cards_title() })).toHaveCount(0)
  await expect(page.getByRole('region', { name: m.auto_title() })).toHaveCount(0)
  await expectAccessible(page, 'the payments of a client as support read them')
  await tabs(page).getByRole('link', { name: m.desk_tab_people() }).click()
  const person = page.getByRole('row').filter({ hasText: 'mihai@demo.test' })
  await expect(person).toContainText(m.invite_accepted())
  await expectAccessible(page, 'the people of a client')
})

test('the parts of a client are in Romanian too', async ({ page, baseURL }) => {
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  const address = await openAna(page, 'admin@demo.test')
  for (const [part, name] of [
    ['usage', inRomanian(m.desk_tab_usage)],
    ['people', inRomanian(m.desk_tab_people)],
    ['payments', inRomanian(m.desk_tab_payments)],
  ] as const) {
    await page.goto(`${address}/${part}`)
    await expect(page.getByRole('table', { name }).getByRole('row').nth(1)).toBeVisible()
    await expectRomanian(page, `the part ${part} of a client`)
  }
})
