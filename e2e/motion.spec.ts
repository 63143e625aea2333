import type { Page } from '@playwright/test'
import { expect, openDashboard, test } from './fixtures.ts'

/** Counts the fades between pages. */
async function watchFades(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    let fades = 0
    document.startViewTransition = (...given) => {
      fades += 1
      return start(...given)
    }
    Object.assign(window, { fades: () => fades })
  })
  return () => page.evaluate<number>('fades()')
}

async function goToTicketsAndBack(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Tickets' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
}

test('pages fade between each other', async ({ page }) => {
  const fades = await watchFades(page)
  await openDashboard(page)
  await goToTicketsAndBack(page)
  expect(await fades()).toBeGreaterThanOrEqual(2)
})

test('nothing fades for who asks for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const fades = await watchFades(page)
  await openDashboard(page)
  await goToTicketsAndBack(page)
  expect(await fades()).toBe(0)
})
