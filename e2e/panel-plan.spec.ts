import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

/** Opens a panel by its card, and returns the section about its plan. */
async function openPlan(page: Page, panel: string, email?: string, title = 'Plan Web 3') {
  await signIn(page, email)
  await page.goto('/')
  await page.getByRole('link', { name: panel, exact: true }).click()
  return page.getByRole('region', { name: title })
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('the owner of a panel sees its plan, what it costs a month, and how much of its limits is used', async ({
  page,
}) => {
  const plan = await openPlan(page, 'web-eu1')
  await expect(plan).toContainText('$24.00 a month')
  await expect(plan).toContainText(`${m.servers()}3 of 3`)
  await expect(plan).toContainText(`${m.domains()}9 of 25`)
  await expect(plan).toContainText(/Disk, GB560 of 960/)
  await expect(plan).toContainText(/Traffic this month, GB[\d.]+ of 2,000/)
})

test('a guest without the billing sees the limits of a plan, but neither its traffic nor all of its domains', async ({
  page,
}) => {
  const plan = await openPlan(page, 'web-eu1', 'mihai@demo.test')
  await expect(plan).toContainText(`${m.servers()}3 of 3`)
  await expect(plan).toContainText(`${m.domains()}up to 25`)
  await expect(plan).toContainText('Traffic this month, GBup to 2,000')
})

test('a Romanian company sees its plan in Romanian and its price in lei', async ({ page, context }) => {
  await context.addCookies([{ name: 'lang', value: 'ro', url: process.env.PORTAL_URL ?? '' }])
  const plan = await openPlan(page, 'librarie-eu1', 'radu@demo.test', 'Planul Web 3')
  await expect(plan).toContainText(/RON\s112\.00 pe lună/)
  await expect(plan).toContainText('Servere3 din 3')
})

for (const look of looks) {
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('the plan of a panel breaks no rule of accessibility and fits the page', async ({ page }) => {
      await expect(await openPlan(page, 'web-eu1')).toContainText('9 of 25')
      await expectAccessible(page, 'panel-plan')
      expect(await sideways(page)).toBeLessThanOrEqual(0)
    })
  })
}
