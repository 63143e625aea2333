import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { payer, testCard, typeCard } from './payer.ts'
import { inRomanian } from './romanian.ts'

/** Somebody new in dollars, whose address is known, and who has no credit. Answers their address. */
const withoutMoney = (page: Page): Promise<string> =>
  payer(page, async (statement, email) => {
    await inDatabase('update clients set trial_credit_due = false where email = $1', email)
    await inDatabase(statement, email)
  })

const lacking = /^Afterwards the balance would last less than 3 days\. \$\d\.\d\d is missing: top up, /

async function openAddPanel(page: Page) {
  await page.goto('/')
  await page.getByRole('button', { name: m.panel_add() }).first().click()
  return page.getByRole('dialog', { name: m.panel_add() })
}

/** So much was used up meanwhile. */
const spend = (email: string, amount: number) =>
  inDatabase(
    `select ledger_post('spent:' || c.id, 'correction', c.id, 'USD', clock_today(), jsonb_build_array(
       jsonb_build_object('account', 'client:' || c.id || ':balance', 'amount', (-$2::numeric)::text),
       jsonb_build_object('account', 'bank:USD', 'amount', ($2::numeric)::text)))
     from clients c where c.email = $1`,
    email,
    amount,
  )

test('what the balance lacks is said before a panel is added, leads to its payment, and then it is added', async ({
  page,
}) => {
  const email = await withoutMoney(page)
  const dialog = await openAddPanel(page)
  await dialog.getByRole('radio', { name: /^Start/ }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: lacking })).toBeVisible()
  await expect(dialog.getByRole('button', { name: m.panel_add() })).toBeDisabled()
  await expectAccessible(page, 'a panel that the balance does not pay for')
  await dialog.getByRole('link', { name: m.plan_top_up({ amount: '$5.00' }) }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: m.payment_amount() })).toHaveValue('5')
  await typeCard(page, testCard.works)
  await page.getByRole('button', { name: m.pay_sum({ amount: '$6.05' }) }).click()
  await expect(page.getByText(m.payment_on_balance({ amount: '$5.00' }))).toBeVisible()

  const again = await openAddPanel(page)
  await again.getByRole('radio', { name: /^Start/ }).click()
  await expect(again.getByRole('listitem').filter({ hasText: lacking })).toHaveCount(0)
  await again.getByLabel(m.panel_name()).fill('paid')
  await again.getByRole('button', { name: m.panel_add() }).click()
  const card = page.getByRole('article', { name: 'paid' })
  await expect(card.getByText(/^(Active|Degraded)$/)).toBeVisible({ timeout: 60_000 })

  await spend(email, 3)
  await card.getByRole('link', { name: 'paid', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'paid', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: m.panel_menu({ name: 'paid' }) }).click()
  await page.getByRole('menuitem', { name: m.plan_change() }).click()
  const change = page.getByRole('dialog', { name: m.plan_change() })
  await change.getByRole('radio', { name: /^Web 3/ }).click()
  await expect(change.getByRole('listitem').filter({ hasText: lacking })).toBeVisible()
  await expect(change.getByRole('button', { name: m.plan_change() })).toBeDisabled()
  await expect(change.getByRole('link', { name: m.plan_top_up({ amount: '$5.00' }) })).toBeVisible()
})

test('credit of a trial that waits is no balance that is used up, and the what-if counts it', async ({
  page,
}) => {
  await newcomer(page)
  await page.goto(href('billing'))
  const runway = page.getByRole('region', { name: m.runway_title() })
  await expect(runway).toContainText(m.runway_trial_waits())
  await expect(page.getByRole('main')).not.toContainText(m.runway_none())
  await expect(page.getByRole('main')).not.toContainText(m.lasts_not())
  const select = runway.getByLabel(m.runway_panel())
  await select.selectOption({ label: (await select.getByText(/^Plan Start: /).textContent()) ?? '' })
  const then = runway.getByRole('status').getByText(/^Then: The balance lasts until /)
  const date = /until (\w+ \d+, \d+)/.exec((await then.textContent())?.replaceAll('\u00a0', ' ') ?? '')?.[1]
  expect(date).toBeDefined()
  const dialog = await openAddPanel(page)
  await expect(dialog.getByRole('status')).toContainText(m.plan_lasts({ after: date ?? '' }))
})

test.describe('in Romanian', () => {
  test.use({ locale: 'ro-RO' })

  test('the trial credit that waits is explained', async ({ page }) => {
    await newcomer(page)
    await page.goto(href('billing'))
    await expect(page.getByText(inRomanian(() => m.runway_trial_waits()))).toBeVisible()
  })
})

for (const look of looks)
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('a panel that the balance does not pay for can be read by everybody', async ({ page }) => {
      await withoutMoney(page)
      const dialog = await openAddPanel(page)
      await expect(dialog.getByRole('listitem').filter({ hasText: lacking })).toBeVisible()
      await expectAccessible(page, 'a panel that the balance does not pay for')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
    })
  })
