// Pictures of every page in every look, to be looked at: `npm run shots`, or `npm run shots -- login 360 dark ro` for some
// pages, widths, themes or languages.
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from '@playwright/test'
import { routes } from '../web/src/routes.ts'
import { speakAs } from '../web/src/texts/locale.ts'
import { addressOf, routeNames } from './addresses.ts'
import { chromiumArguments, findChromium } from './chromium.ts'
import { clientStates } from './client-shots.ts'
import { guestStates } from './guest-shots.ts'
import { type RunningPortal, startPortal } from './portal.ts'
import { rowStates } from './row-shots.ts'
import type { Account, Shot } from './shot.ts'

const folder = path.resolve(import.meta.dirname, '../shots')
const wanted = process.argv.slice(2)

/** Those of some looks that are wanted; all when none is named. */
const chosen = <L extends string | number>(looks: readonly L[]): readonly L[] => {
  const named = looks.filter((look) => wanted.includes(String(look)))
  return named.length === 0 ? looks : named
}

const widths = chosen([1280, 360, 768, 1920])
const schemes = chosen(['light', 'dark'])
const languages = chosen(['en', 'ro'])

function shots(): Shot[] {
  const pages = routeNames.map((name): Shot => {
    const as = routes[name].access === 'client' ? { as: 'ana' as const } : {}
    return { name, address: addressOf(name), ...as }
  })
  const all = [...pages, ...clientStates, ...guestStates, ...rowStates]
  const named = all.filter(({ name }) => wanted.includes(name))
  return named.length === 0 ? all : named
}

async function signIn({ request }: BrowserContext, as: Account): Promise<void> {
  const data = { email: `${as}@demo.test`, password: 'portico-demo' }
  const { code } = await (await request.post('/auth/login', { data })).json()
  await request.get(`/auth/callback?code=${code}`)
}

/** Waits until everything has arrived: nothing is on its way, and for a while nothing was. Or for ten seconds. */
function settling(page: Page): () => Promise<void> {
  const onTheWay = new Set<Request>()
  let last = Date.now()
  const end = (request: Request) => {
    onTheWay.delete(request)
    last = Date.now()
  }
  page.on('request', (request) => onTheWay.add(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    await page.getByRole('heading').first().waitFor()
    const began = Date.now()
    last = began
    while ((onTheWay.size > 0 || Date.now() - last < 250) && Date.now() - began < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function take(page: Page, shot: Shot, file: string): Promise<void> {
  const settle = settling(page)
  await shot.before?.(page)
  await page.goto(shot.address)
  if (shot.waiting) await page.getByRole('banner').getByRole('button').first().waitFor()
  else await settle()
  if (shot.after) {
    await shot.after(page)
    await settle()
  }
  fs.mkdirSync(path.dirname(file), { recursive: true })
  // An overlay covers only the visible part of a page, and an anchor is about a part of it.
  const isWhole = (await page.getByRole('dialog').count()) === 0 && !shot.address.includes('#')
  // In a window as high as the page, what stays at the foot of the window is at the foot of the picture.
  const height = isWhole ? await page.evaluate(() => document.documentElement.scrollHeight) : 0
  const size = page.viewportSize()
  if (size && height > size.height) await page.setViewportSize({ ...size, height })
  await page.screenshot({ path: file, animations: 'disabled' })
}

type Look = {
  width: (typeof widths)[number]
  scheme: (typeof schemes)[number]
  language: (typeof languages)[number]
}

async function takeAll(
  browser: Browser,
  { url }: RunningPortal,
  { width, scheme, language }: Look,
): Promise<void> {
  // Pages are found by their words.
  speakAs(() => language)
  const all = shots()
  for (const as of [undefined, 'ana', 'ioana', 'mihai', 'support'] as const) {
    const context = await browser.newContext({
      baseURL: url,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    })
    await context.addCookies([{ name: 'lang', value: language, url }])
    // A page that is closed with a question open sees the system's theme change, and would keep it for the next.
    await context.addInitScript(
      (dark) => localStorage.setItem('darkMode', dark),
      scheme === 'dark' ? '1' : '0',
    )
    if (as !== undefined) await signIn(context, as)
    for (const shot of all.filter((one) => one.as === as)) {
      // A page of its own, so that nothing of one picture is in the next.
      const page = await context.newPage()
      await take(page, shot, path.join(folder, shot.name, `${width}-${scheme}-${language}.png`))
      await page.close()
    }
    await context.close()
  }
}

const running = process.env.PORTAL_URL
const portal =
  running === undefined
    ? await startPortal()
    : { url: running, folder: '', greeting: '', stop: async () => undefined, end: async () => undefined }
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  for (const width of widths)
    for (const scheme of schemes)
      for (const language of languages) await takeAll(browser, portal, { width, scheme, language })
  console.log(`The pictures are in ${folder}.`)
} finally {
  await browser.close()
  await portal.stop()
}
