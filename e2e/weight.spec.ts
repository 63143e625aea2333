import type { Page, Route } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'

const quiet = 600

/**
 * Holds every request but the document's until no further one comes, lets these go, and so on: what is asked for in the
 * second round could only be known from an answer of the first.
 */
class Rounds {
  readonly asked: string[][] = []
  #held: Route[] = []
  #last = 0
  #open = false

  async hold(page: Page): Promise<void> {
    await page.route('**/*', async (route) => {
      if (this.#open || route.request().isNavigationRequest()) return route.continue()
      this.#held.push(route)
      this.#last = Date.now()
    })
  }

  /** Waits for the requests of a round and lets them go. */
  async next(): Promise<string[]> {
    this.#last = Date.now()
    while (Date.now() - this.#last < quiet) await new Promise((resolve) => setTimeout(resolve, 50))
    const round = this.#held
    this.#held = []
    const urls = round.map((route) => new URL(route.request().url()).pathname)
    this.asked.push(urls)
    await Promise.all(round.map((route) => route.continue()))
    return urls
  }

  async release(): Promise<void> {
    this.#open = true
    await Promise.all(this.#held.map((route) => route.continue()))
  }
}

/** What came over the wire as scripts and styles, compressed, in bytes, headers not counted; up to a moment the page marked. */
async function counted(page: Page): Promise<(mark?: string) => Promise<{ bytes: number; files: string[] }>> {
  await page.addInitScript(() => performance.setResourceTimingBufferSize(500))
  return (mark) =>
    page.evaluate((name) => {
      const until =
        name === undefined
          ? Number.POSITIVE_INFINITY
          : (performance.getEntriesByName(name)[0]?.startTime ?? 0)
      // Entries of this type are resources.
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const files = entries.filter((entry) => /\.(js|css)$/.test(entry.name) && entry.responseEnd <= until)
      return {
        bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        files: files.map(
          ({ name, encodedBodySize, decodedBodySize }) => `${name} ${encodedBodySize} of ${decodedBodySize}`,
        ),
      }
    }, mark)
}

/** Has the page mark the moment when its first card stands. */
const markContent = (page: Page) =>
  page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('article')) return
      watch.disconnect()
      performance.mark('content')
    })
    watch.observe(document, { childList: true, subtree: true })
  })

/** In KB of 1000 bytes; what was measured stands in the report too. */
function kilobytes(what: string, bytes: number): number {
  const description = String(Math.round(bytes / 100) / 10)
  test.info().annotations.push({ type: what, description })
  return Number(description)
}

test('the sign-in page needs at most 125 KB, and one round of requests until it works', async ({ page }) => {
  const rounds = new Rounds()
  const weigh = await counted(page)
  await rounds.hold(page)
  await page.goto('/login', { waitUntil: 'commit' })
  // It is there before any script.
  await expect(page.getByLabel('E-mail', { exact: true })).toBeVisible()
  await rounds.next()
  await page.getByLabel('Password', { exact: true }).fill('secret')
  // The page is there before the app that answers a press, which whoever presses too early does again.
  await expect(async () => {
    const show = page.getByRole('button', { name: 'Show password' })
    if (await show.isVisible()) await show.click()
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text', {
      timeout: 1000,
    })
  }).toPass()
  await rounds.release()
  await expect(page.getByRole('button', { name: /Ana Marin/ })).toBeVisible()
  const { bytes, files } = await weigh()
  expect(kilobytes('login, KB', bytes), files.join('\n')).toBeLessThanOrEqual(125)
  expect(files.length).toBeGreaterThan(0)
})

test('the dashboard needs at most 150 KB to its content, and 185 KB in all', async ({ page }) => {
  await signIn(page)
  const weigh = await counted(page)
  await markContent(page)
  await page.goto('/')
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  const before = await weigh('content')
  expect(before.files.length).toBeGreaterThan(0)
  expect(
    kilobytes('dashboard before first content, KB', before.bytes),
    before.files.join('\n'),
  ).toBeLessThanOrEqual(150)
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  const all = await weigh()
  expect(kilobytes('dashboard in all, KB', all.bytes), all.files.join('\n')).toBeLessThanOrEqual(185)
  expect(all.bytes).toBeGreaterThan(before.bytes)
})

/** The portal's files that came over the network for this page. */
const transferred = (page: Page) =>
  page.evaluate(() => {
    // Entries of this type are resources.
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries
      .filter((entry) => /\/assets\//.test(entry.name) && entry.transferSize > 0)
      .map(({ name }) => name)
  })

test('a browser keeps the files of the portal: a second visit transfers none of them again', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/')
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  const first = await transferred(page)
  expect(first).not.toEqual([])
  await page.reload()
  await expect(page.getByRole('article', { name: 'web-eu1' })).toBeVisible()
  const second = await transferred(page)
  expect(second.filter((name) => first.includes(name))).toEqual([])
})
