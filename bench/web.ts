// What a phone sees of pages opened with nothing cached: a processor slowed four times, 150 ms and 1.6 Mbit/s to the server.
// Names of routes choose the pages: `npm run bench:web -- login dashboard billing`.
import { type Browser, chromium, type Page } from '@playwright/test'
import { addressOf, routeNames } from '../e2e/addresses.ts'
import { findChromium } from '../e2e/chromium.ts'
import { startPortal } from '../e2e/portal.ts'
import { routes } from '../web/src/routes.ts'
import { median } from './support/load.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** How long the page is watched: what is painted later than this is not part of its opening. */
const watchedMs = 8_000

type Figures = {
  readonly first: number
  readonly largest: number
  readonly blocked: number
  readonly shift: number
}

/** Runs in the page from its beginning. */
function watch(): void {
  const seen = { first: 0, largest: 0, blocked: 0, shift: 0 }
  const on = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.first = startTime
  })
  on('largest-contentful-paint', ({ startTime }) => {
    seen.largest = startTime
  })
  on('longtask', ({ duration }) => {
    seen.blocked += Math.max(0, duration - 50)
  })
  on('layout-shift', (entry) => {
    // The library of types does not know this kind of entry.
    seen.shift += (entry as PerformanceEntry & { value: number }).value
  })
  Object.assign(window, { seen })
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: /Ana Marin/ }).click()
  await page.waitForURL(`${url}/`)
}

async function open(browser: Browser, url: string, address: string, signedIn: boolean): Promise<Figures> {
  const context = await browser.newContext(phone)
  if (signedIn) await signIn(await context.newPage(), url)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(watch)
  await page.goto(url + address)
  await new Promise((done) => setTimeout(done, watchedMs))
  const figures = await page.evaluate<Figures>('seen')
  await context.close()
  return figures
}

const wanted = process.argv.slice(2)
const portal = process.env.PORTAL_URL ? undefined : await startPortal()
const url = process.env.PORTAL_URL ?? portal?.url ?? ''
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  for (const name of routeNames.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const runs: Figures[] = []
    for (let round = 0; round < rounds; round++)
      runs.push(await open(browser, url, addressOf(name), routes[name].access === 'client'))
    const of = (pick: (one: Figures) => number) => Math.round(median(runs.map(pick)))
    console.log(
      `${name.padEnd(20)} first paint ${of(({ first }) => first)} ms, largest ${of(({ largest }) => largest)} ms, ` +
        `blocked ${of(({ blocked }) => blocked)} ms, shift ${(median(runs.map(({ shift }) => shift))).toFixed(3)}`,
    )
  }
} finally {
  await browser.close()
  await portal?.stop()
}
