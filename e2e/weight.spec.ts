import type { Page, Route } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { expect, signIn, test } from './fixtures.ts'
import { arrived, isRefused, prepared, requestsOf, visits } from './visits.ts'

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

/**
 * Measures the scripts and styles over the wire, compressed, in bytes without headers; up to a moment that the page
 * marked.
 */
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
      // The ribbon of the demo is loaded by no customer.
      const files = entries.filter(
        ({ name: file, responseEnd }) =>
          /\.(js|css)$/.test(file) && !file.includes('/demo-ribbon-') && responseEnd <= until,
      )
      return {
        bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        files: files.map(
          ({ name, encodedBodySize, decodedBodySize }) => `${name} ${encodedBodySize} of ${decodedBodySize}`,
        ),
      }
    }, mark)
}

/** Has the page mark the moment when its first card stands. */
// Idle downloads are excluded: the part that arrives before the content varies.
const markContent = (page: Page) =>
  page.addInitScript(() => {
    window.requestIdleCallback = (work) => {
      const handle = window.setInterval(() => {
        if (performance.getEntriesByName('content').length === 0) return
        window.clearInterval(handle)
        work({ didTimeout: false, timeRemaining: () => 0 })
      }, 20)
      return handle
    }
    window.cancelIdleCallback = (handle) => window.clearInterval(handle)
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

test('the sign-in page needs at most 130 KB in 25 files, and one round of requests until it works', async ({
  page,
}) => {
  const rounds = new Rounds()
  const weigh = await counted(page)
  await rounds.hold(page)
  await page.goto('/login', { waitUntil: 'commit' })
  // It is there before any script.
  await expect(page.getByLabel('E-mail', { exact: true })).toBeVisible()
  await rounds.next()
  await page.getByLabel('Password', { exact: true }).fill('secret')
  // The page is shown before the app runs, so an early click is repeated.
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
  expect(kilobytes('login, KB', bytes), files.join('\n')).toBeLessThanOrEqual(130)
  expect(files.length).toBeGreaterThan(0)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(25)
})

test('the dashboard needs at most 155 KB in 40 files to its content, and its account menu 30 KB more', async ({
  page,
}) => {
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
  ).toBeLessThanOrEqual(155)
  expect(before.files.length, before.files.join('\n')).toBeLessThanOrEqual(40)
  await expect(page.getByText('No panels shared with you')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Demo' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('link', { name: /same days of/ })).toBeVisible()
  const whole = await weigh()
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  const all = await weigh()
  expect(kilobytes('account menu, KB', all.bytes - whole.bytes), all.files.join('\n')).toBeLessThanOrEqual(30)
  expect(all.bytes).toBeGreaterThan(whole.bytes)
})

test('the prices need at most 90 KB in 3 files, with the styles in their document', async ({ page }) => {
  const weigh = await counted(page)
  await page.goto(`${href('prices')}?country=RO`)
  await expect(page.getByRole('article', { name: 'Start' })).toBeVisible()
  const { bytes, files } = await weigh()
  const inDocument = await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON())
  expect(inDocument.encodedBodySize).toBeGreaterThan(0)
  const all = bytes + inDocument.encodedBodySize
  expect(kilobytes('prices with their document, KB', all), files.join('\n')).toBeLessThanOrEqual(90)
  expect(files.length, files.join('\n')).toBeGreaterThan(0)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(3)
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

/** The budget of a page with an empty cache: scripts and styles, and requests of every kind. */
const most = { kilobytes: 190, files: 60, requests: 75 }

for (const visit of visits)
  test(`${visit.what}, opened with nothing cached, keeps to the budget of every page`, async ({
    page,
    complaints,
  }) => {
    const { what } = visit
    const at = await prepared(page, visit)
    const weigh = await counted(page)
    const requests = requestsOf(page)
    await page.goto(at)
    await arrived(page, visit, requests)
    const { bytes, files } = await weigh()
    const weight = {
      kilobytes: kilobytes(`${what}, KB`, bytes),
      files: files.length,
      requests: requests.all.length,
    }
    const description = `${weight.files}, ${weight.requests}`
    test.info().annotations.push({ type: `${what}, files and requests`, description })
    expect(weight.kilobytes, files.join('\n')).toBeLessThanOrEqual(most.kilobytes)
    expect(weight.files, files.join('\n')).toBeLessThanOrEqual(most.files)
    expect(weight.requests, requests.all.join('\n')).toBeLessThanOrEqual(most.requests)
    if (isRefused(visit)) complaints.length = 0
  })
