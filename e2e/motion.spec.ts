import type { Page } from '@playwright/test'
import { ana, expect, openDashboard, password, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

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

test('a reduced motion setting disables fading', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const fades = await watchFades(page)
  await openDashboard(page)
  await goToTicketsAndBack(page)
  expect(await fades()).toBe(0)
})

/** Records how wide a page is when a fade begins, and how wide the fade paints it. */
async function watchWidths(page: Page): Promise<() => Promise<{ was: number; painted: number }[]>> {
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    const widths: { was: number; painted: number }[] = []
    document.startViewTransition = (...given) => {
      const was = document.querySelector('main')?.getBoundingClientRect().width ?? 0
      const fade = start(...given)
      fade.ready.then(() => {
        const painted = getComputedStyle(document.documentElement, '::view-transition-old(page)')
        // Of a picture that is stretched to its box, the box; of one that is not, its own width.
        const { objectFit, inlineSize } = painted
        const next = document.querySelector('main')?.getBoundingClientRect().width ?? 0
        widths.push({ was, painted: objectFit === 'none' ? was : Number.parseFloat(inlineSize) || next })
      })
      return fade
    }
    Object.assign(window, { widths })
  })
  return () => page.evaluate<{ was: number; painted: number }[]>('widths')
}

test('the narrow page of a sign-in is not stretched to the wide one that follows', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const widths = await watchWidths(page)
  await page.goto('/login')
  await page.getByLabel('E-mail', { exact: true }).fill(ana)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in with e-mail' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Workspace' })).toBeVisible()
  await expect.poll(async () => (await widths()).filter(({ was }) => was < 800).length).toBeGreaterThan(0)
  for (const { was, painted } of await widths()) expect(painted).toBe(was)
})
