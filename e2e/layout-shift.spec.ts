import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { sampled } from './sweep.ts'
import { arrived, isRefused, prepared, requestsOf, visits } from './visits.ts'

/** The budget of every page: the score that browsers report as cumulative layout shift. */
const most = 0.02

/** Adds up every shift of the page from its first paint, and names what moved. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: { value: number; nodes: string[] }[] = []
    const describe = ({ node }: { node?: Node }) =>
      node instanceof Element ? `${node.tagName} ${node.className} ${node.id}` : String(node?.nodeName)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // Entries of this type are layout shifts, which the types of the browser do not know.
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node?: Node }[] }
        shifts.push({ value, nodes: sources.map(describe) })
      }
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })

/** Keeps the fonts back, as a slow connection does; they arrive when the page is complete. */
async function holdFonts(page: Page): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  let held = 0
  await page.route('**/*.woff2', async (route) => {
    held++
    await gate.promise
    await route.continue()
  })
  return async () => {
    expect(held).toBeGreaterThan(0)
    gate.resolve()
    await page.evaluate(() => document.fonts.ready)
  }
}

/** Lets the answers of the API arrive one by one, each after the page has painted the one before. */
async function queueAnswers(page: Page): Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  await page.route('**/api/**', async (route) => {
    const before = last
    const mine = Promise.withResolvers<void>()
    last = mine.promise
    await before
    await route.continue()
    await (await route.request().response())?.finished()
    await painted(page)
    mine.resolve()
  })
}

/** Two frames: the first lays out and paints, and shifts are reported with the second. */
const painted = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  )

for (const [turn, width] of [1280, 360].entries())
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } })

    for (const visit of sampled(3, visits, turn))
      test(`nothing moves on ${visit.what} while it loads and its font arrives late`, async ({
        page,
        complaints,
      }) => {
        const at = await prepared(page, visit)
        await watchShifts(page)
        const letFonts = await holdFonts(page)
        await queueAnswers(page)
        const requests = requestsOf(page)
        await page.goto(at, { waitUntil: 'commit' })
        await expect.poll(() => [...requests.open].filter((one) => !one.url().endsWith('.woff2'))).toEqual([])
        await letFonts()
        await arrived(page, visit, requests)
        await painted(page)
        const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>('shifts')
        const total = shifts.reduce((sum, { value }) => sum + value, 0)
        test.info().annotations.push({ type: `${visit.what}, layout shift`, description: total.toFixed(4) })
        expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(most)
        // Polls go on, and must not wait for a page that is gone.
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        if (isRefused(visit)) complaints.length = 0
      })
  })
