import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { expect, signIn, test } from './fixtures.ts'

/** Notes the colour of the page at every frame from the very first, where there is a body to have one. */
async function watchBackground(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen = new Set<string>()
    const look = () => {
      // Before the styles are there nothing is painted.
      if (document.body && document.styleSheets.length > 0)
        seen.add(getComputedStyle(document.body).backgroundColor)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { seen: () => [...seen] })
  })
  return () => page.evaluate<string[]>('seen()')
}

const light = 'rgb(246, 247, 249)'
const dark = 'rgb(14, 17, 22)'

for (const [stored, system, expected] of [
  ['1', 'light', dark],
  ['0', 'dark', light],
  [null, 'dark', dark],
] as const) {
  test(`with ${stored} stored and a ${system} system no frame has the other colour`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: system })
    await page.addInitScript((value) => {
      if (value !== null) localStorage.setItem('darkMode', value)
    }, stored)
    const seen = await watchBackground(page)
    await page.goto('/login')
    await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
    expect(await seen()).toEqual([expected])
    await page.goto(href('prices'))
    await expect(page.getByRole('article').first()).toBeVisible()
    expect(await seen()).toEqual([expected])
    await signIn(page)
    await page.goto('/')
    await expect(page.getByRole('article').first()).toBeVisible()
    expect(await seen()).toEqual([expected])
  })
}

test('a browser without a chosen language uses that of the account', async ({ browser, baseURL }) => {
  const english = await browser.newContext({ locale: 'en-US', ...(baseURL && { baseURL }) })
  const elsewhere = await english.newPage()
  await elsewhere.goto('/login')
  // Mihai's account is Romanian.
  await elsewhere.getByRole('button', { name: /Mihai Dobre/ }).click()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Spațiul meu de lucru' })).toBeVisible()
  expect(await elsewhere.evaluate(() => document.documentElement.lang)).toBe('ro')
  await english.close()
})
