import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn } from './fixtures.ts'
import { chargedFor, dayInWords, held, money, profileOf, sum } from './money.ts'
import { test } from './own-portal.ts'

// One worker, so that there is one such portal.
test.describe.configure({ mode: 'serial' })

const ribbon = (page: Page) => page.getByRole('complementary', { name: m.demo_ribbon(), exact: true })
const notices = (page: Page) => page.getByRole('complementary', { name: m.account_notices() })

/** Lets a day pass, and waits until the page has heard of it. */
async function advance(page: Page): Promise<void> {
  const { as_of } = await profileOf(page)
  const next = new Date(Date.parse(as_of) + 86_400_000).toISOString().slice(0, 10)
  await ribbon(page).getByRole('button', { name: m.demo_advance() }).click()
  await expect(ribbon(page)).toContainText(m.demo_today({ date: dayInWords(next) }), { timeout: 60_000 })
}

/** The large figures, and the sum that leads from them to what is available. */
async function expectFigures(page: Page): Promise<void> {
  const profile = await profileOf(page)
  const main = page.getByRole('main')
  const figure = (name: string) => main.getByRole('definition').filter({ hasText: name })
  await expect(figure(money(profile.account_balance)).first()).toBeVisible()
  await expect(figure(money(profile.daily_use)).first()).toBeVisible()
  const reckoning = page.getByRole('table', { name: m.reckoning() })
  await expect(reckoning.getByRole('row', { name: m.reckoning_available() })).toContainText(
    money(profile.available),
  )
  if (profile.exhaustion_date !== null && profile.available > 0)
    await expect(figure(dayInWords(profile.exhaustion_date))).toBeVisible()
}

test('days that pass show in use, balance, runway and log alike, to the cent', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page)
  await page.goto(href('billing'))
  for (let day = 0; day < 2; day++) {
    const before = await profileOf(page)
    await expectFigures(page)
    await advance(page)
    const after = await profileOf(page)
    const charged = await chargedFor(page, before.as_of)
    expect(charged).toBeGreaterThan(0)
    expect(held(after)).toBe(sum(held(before), -charged))
    await expectFigures(page)
  }
  const now = await profileOf(page)
  await page.goto(href('billing-log'))
  const log = page.getByRole('table', { name: m.billing_log_title() })
  await expect(log.getByRole('row').nth(1)).toContainText(money(held(now)))
  const yesterday = new Date(Date.parse(now.as_of) - 86_400_000).toISOString().slice(0, 10)
  await page.goto(`${href('usages')}?period=${yesterday}`)
  const charged = money(await chargedFor(page, yesterday))
  await expect(page.getByRole('definition').filter({ hasText: charged }).first()).toBeVisible()
})

test('a debt is told with its days and what comes next, until panels are suspended', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, 'ioana@demo.test')
  await page.goto(href('billing'))
  const before = await profileOf(page)
  await expect(notices(page)).toContainText(money(held(before)))
  await expect(notices(page)).toContainText(`${before.negative_days} days`)
  await expect(notices(page)).toContainText(money(before.banner.amount_due))
  for (let day = 0; day < 8; day++) {
    await advance(page)
    const { banner } = await profileOf(page)
    if (banner.suspend_on !== null && banner.suspend_on <= (await profileOf(page)).as_of) break
  }
  const { banner } = await profileOf(page)
  await expect(notices(page)).toContainText(m.banner_suspended({ amount: money(banner.amount_due) }))
  const timeline = page.getByRole('region', { name: m.timeline_title() })
  const suspended = timeline.getByRole('listitem').filter({ hasText: m.step_suspended() })
  await expect(suspended).toContainText(m.step_since({ date: dayInWords(banner.suspend_on ?? '') }))
  await page.goto(href('dashboard'))
  await expect(page.getByRole('article').first()).toContainText(m.status_suspended())
})

test('whoever tries the portal for free is told how long', async ({ page }) => {
  await signIn(page, 'trial@demo.test')
  await page.goto(href('billing'))
  await expect(notices(page)).toContainText(/Free trial: \d+ days? left|Your free trial has ended/)
})
