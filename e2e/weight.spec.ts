import type { Page, Request, Route } from '@playwright/test'
import { href, type RouteName, routes } from '../web/src/routes.ts'
import { addressOf, routeNames } from './addresses.ts'
import { api } from './api.ts'
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

test('the dashboard needs at most 155 KB in 40 files to its content, and 190 KB in all', async ({ page }) => {
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
  await page.getByRole('button', { name: /Account menu of/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  const all = await weigh()
  expect(kilobytes('dashboard in all, KB', all.bytes), all.files.join('\n')).toBeLessThanOrEqual(190)
  expect(all.bytes).toBeGreaterThan(before.bytes)
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

const first = async (page: Page, type: string) => String((await (await api(page)).list(type))[0]?.id)

/** Every page at an address that shows what it is made for, and a panel opened, which is a screen of its own. */
const visits: { what: string; name: RouteName; address: (page: Page) => Promise<string> }[] = [
  ...routeNames.map((name) => ({
    what: name,
    name,
    address: async (page: Page) =>
      name === 'view-ticket' ? href(name, { id: await first(page, 'tickets') }) : addressOf(name),
  })),
  {
    what: 'an opened panel',
    name: 'dashboard',
    address: async (page) => href('dashboard', { panel_id: await first(page, 'panels') }),
  },
]

/** Makes the server answer that Google has vouched for a person who has not entered their details. */
const letComplete = (page: Page) =>
  page.route('**/api/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), google_process: 0 } })
  })

/** The requests of a page, and those that are still open. */
function requestsOf(page: Page): { all: string[]; open: Set<Request> } {
  const all: string[] = []
  const open = new Set<Request>()
  page.on('request', (request) => {
    all.push(request.url())
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return { all, open }
}

for (const { what, name, address } of visits)
  test(`${what}, opened with nothing cached, keeps to the budget of every page`, async ({
    page,
    complaints,
  }) => {
    if (routes[name].access === 'client') await signIn(page)
    const at = await address(page)
    if (name === 'register-google') await letComplete(page)
    const weigh = await counted(page)
    const requests = requestsOf(page)
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The demo panel loads last.
    if (routes[name].layout === 'main')
      await expect(page.getByRole('complementary', { name: 'Demo' })).toBeVisible()
    await expect.poll(() => requests.open.size).toBe(0)
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
    // These routes are opened with an invalid code, whose refusal is logged in the console too.
    if (name === 'callback' || name === 'google-callback') complaints.length = 0
  })
