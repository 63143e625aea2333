import type { Page } from '@playwright/test'
import { expect, openDashboard, test } from './fixtures.ts'

/** Enlarges the text only, as the browser's setting does: boxes stay, words grow. */
const enlargeText = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.body.querySelectorAll<HTMLElement>('*')]
    const sizes = elements.map((element) => Number.parseFloat(getComputedStyle(element).fontSize))
    elements.forEach((element, at) => {
      element.style.fontSize = `${2 * (sizes[at] ?? 14)}px`
    })
  })

/** Words that stick out of the box that hides the rest of them, other than those that end in an ellipsis on purpose. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => {
        const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(element)
        const hides = overflowX === 'hidden' || overflowY === 'hidden'
        const wide = element.scrollWidth > element.clientWidth + 1 && textOverflow !== 'ellipsis'
        // One pixel is how words are kept for screen readers alone.
        const seen = element.clientWidth > 1 && clipPath === 'none' && element.checkVisibility()
        return hides && seen && (wide || element.scrollHeight > element.clientHeight + 4)
      })
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 60)}`),
  )

const widths = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
]

for (const viewport of widths) {
  test.describe(`${viewport.width} pixels wide`, () => {
    test.use({ viewport })

    test('text of twice the size stays readable, and nothing scrolls sideways', async ({ page }) => {
      const pages: [string, () => Promise<void>][] = [
        ['login', () => page.goto('/login').then(() => expect(page.getByText('Ana Marin')).toBeVisible())],
        [
          'dashboard',
          async () => {
            await openDashboard(page)
            // The last column needs room too.
            await expect(page.getByText('This month').first()).toBeVisible()
          },
        ],
        ['panel', () => page.getByRole('link', { name: 'web-eu1', exact: true }).click()],
      ]
      for (const [name, open] of pages) {
        await open()
        await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
        await enlargeText(page)
        expect(await cutOff(page), name).toEqual([])
        const { scrollWidth } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
        }))
        expect(scrollWidth, name).toBeLessThanOrEqual(viewport.width)
        if (name === 'dashboard') await page.reload()
      }
    })
  })
}

test('everything works at a zoom of 400 %, which leaves 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await openDashboard(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
})
