import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'

test('a visitor reads what plans cost, in each currency, and goes on to register', async ({ page }) => {
  await page.goto(href('login'))
  await page.getByRole('link', { name: m.prices_title() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.prices_title() })).toBeVisible()
  const start = page.getByRole('article', { name: 'Start' })
  await expect(start).toContainText('$8.00 a month')
  await expect(start).toContainText('10 domains')
  await expect(page.getByRole('article')).toHaveCount(4)
  const currencies = page.getByRole('navigation', { name: m.currency() })
  await currencies.getByRole('link', { name: 'EUR' }).click()
  await expect(start).toContainText('€7.50 a month')
  await expect(currencies.getByRole('link', { name: 'EUR' })).toHaveAttribute('aria-current')
  await expect(currencies.getByRole('link', { name: 'USD' })).not.toHaveAttribute('aria-current')
  await page.reload()
  await expect(start).toContainText('€7.50 a month')
  await page.getByRole('main').getByRole('link', { name: m.register_title() }).click()
  await expect(page.getByRole('heading', { level: 1, name: m.register_title() })).toBeVisible()
})

test('while nothing is offered the page says so', async ({ page }) => {
  await page.route('**/plans/-actions/offers?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), plans: [] } })
  })
  await page.goto(href('prices'))
  await expect(page.getByText(m.prices_none_title())).toBeVisible()
})

test('a currency that nothing is sold in is refused in words', async ({ page, complaints }) => {
  await page.goto(`${href('prices')}?currency=CHF`)
  await expect(page.getByRole('alert')).toContainText('There are no prices in CHF')
  complaints.length = 0
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the prices break no rule of accessibility', async ({ page }) => {
      await page.goto(href('prices'))
      await expect(page.getByRole('article')).toHaveCount(4)
      await expectAccessible(page, 'prices')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width)
    })
  })
