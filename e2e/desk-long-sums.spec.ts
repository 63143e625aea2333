import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'

// The demo is small; a host of some years has sums of nine digits, in each of its currencies.

const long = 987_654_321.09

/** Every amount of an answer, made long; counts and names stay. */
function lengthened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lengthened)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (typeof one === 'number' && /\.\d/.test(String(one))) return [name, one < 0 ? -long : long]
      if (typeof one === 'string' && /^-?\d+\.\d+$/.test(one))
        return [name, one.startsWith('-') ? `-${long}` : String(long)]
      return [name, lengthened(one)]
    }),
  )
}

/** What is wider than its box, or than the page. */
const overflowing = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    return [...document.querySelectorAll('main dd, main td, main h3, main figure span')]
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect()
        return width > 0 && (one.scrollWidth > one.clientWidth + 1 || right > wide + 1 || left < -1)
      })
      .map((one) => `${one.tagName} ${one.textContent}`)
  })

for (const width of [360, 390])
  test.describe(`${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: width === 360 ? 'dark' : 'light' })

    test('long sums of three currencies fit on the first page and in the reports of the desk', async ({
      page,
    }) => {
      await signIn(page, 'billing@demo.test')
      await page.goto(deskHome)
      // A request that a page leaves behind would end without an answer to change.
      await expect(page.getByRole('heading', { level: 3, name: 'EUR' })).toBeVisible()
      await page.route(/-actions\/figures/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: lengthened(await response.json()) })
      })
      await page.reload()
      for (const currency of ['EUR', 'RON', 'USD'])
        await expect(page.getByRole('heading', { level: 3, name: currency })).toBeVisible()
      await expect(page.getByText('987,654,321.09').first()).toBeVisible()
      expect(await overflowing(page)).toEqual([])
      await expectAccessible(page, 'home with long sums')
      // The page asks again by itself, and what it asks while it is left has no answer to change.
      await page.unrouteAll({ behavior: 'ignoreErrors' })

      for (const report of ['revenue', 'recurring', 'aged_debt', 'vat', 'trial_balance']) {
        await page.goto(`${deskHome}/reports?report=${report}&currency=RON`)
        await expect(page.getByRole('main').getByRole('table')).toBeVisible()
        expect(await overflowing(page), report).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
    })
  })
