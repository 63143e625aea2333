// Pictures of every page in every look, to be looked at: `npm run shots`, or `npm run shots -- login dashboard` for some.
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from '@playwright/test'
import { routes } from '../web/src/routes.ts'
import { addressOf, routeNames } from './addresses.ts'
import { chromiumArguments, findChromium } from './chromium.ts'
import { guestStates } from './guest-shots.ts'
import { type RunningPortal, startPortal } from './portal.ts'
import type { Account, Shot } from './shot.ts'

const folder = path.resolve(import.meta.dirname, '../shots')
const widths = [1280, 360] as const
const schemes = ['light', 'dark'] as const
const languages = ['en', 'ro'] as const

const projects = '**/api/v1/projects?*'
const failure = {
  errors: [{ id: 'req-4c1d9a', status: '500', code: 'internal', detail: 'The list could not be read.' }],
}

const press = (key: string) => (page: Page) => page.keyboard.press(key)
/** By the place in the bar or page, because the names differ by language. */
const open = (role: 'banner' | 'main', at: number) => (page: Page) =>
  page.getByRole(role).getByRole('button').filter({ visible: true }).nth(at).click()

const account = (anchor: string) => `${addressOf('manage-account')}#${anchor}`
const section = { personal: 0, billing: 3, twoFactor: 7 } as const
const pressIn = (at: number) => (page: Page) => sectionOf(page, at).getByRole('button').last().click()
const recovery = {
  recovery_codes: Array.from({ length: 10 }, (_, at) => `k7qm-2xw${at}-9fhd-r3t${at}`),
}
const tooOld = { errors: [{ status: '403', code: 'recent_sign_in_required', detail: 'Sign in once more.' }] }

const states: readonly Shot[] = [
  { name: 'not-found', address: '/no-such-page', as: 'ana' },
  { name: 'prices-vat', address: `${addressOf('prices')}?country=RO` },
  { name: 'login-refused', address: '/login', after: refuse },
  { name: 'dashboard-banner', address: '/', as: 'ioana' },
  { name: 'dashboard-empty', address: '/', as: 'mihai' },
  {
    name: 'dashboard-loading',
    address: '/',
    as: 'ana',
    before: (page) => page.route(projects, () => undefined),
    waiting: true,
  },
  {
    name: 'dashboard-error',
    address: '/',
    as: 'ana',
    before: (page) => page.route(projects, (route) => route.fulfill({ status: 400, json: failure })),
    after: async (page) => {
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  },
  { name: 'payment-debt', address: '/payment', as: 'ioana' },
  { name: 'pay-debt', address: '/usages/pay', as: 'ioana' },
  { name: 'tickets-guest', address: '/tickets', as: 'mihai' },
  { name: 'panel', address: '/1', as: 'ana' },
  { name: 'panel-domains', address: '/1?tab=domains', as: 'ana' },
  { name: 'panel-activity', address: '/1?tab=activity', as: 'ana' },
  { name: 'panel-guest', address: '/1', as: 'mihai' },
  { name: 'panel-ticket', address: '/add-ticket/technical/1?facts=1', as: 'ana' },
  { name: 'panel-clusters-empty', address: '/1?tab=clusters', as: 'ana' },
  { name: 'panel-nothing-found', address: '/1?tab=domains&search=nothing-of-this-name', as: 'ana' },
  { name: 'dialog', address: '/', as: 'ana', after: open('main', 0) },
  { name: 'palette', address: '/', as: 'ana', after: press('Control+k') },
  { name: 'workspace-menu', address: '/', as: 'ana', after: open('banner', 0) },
  {
    name: 'menu-or-drawer',
    address: '/',
    as: 'ana',
    after: (page) => page.getByRole('banner').getByRole('button').filter({ visible: true }).last().click(),
  },
  { name: 'bell', address: '/', as: 'ana', after: ring },
  { name: 'ticket', address: addressOf('tickets'), as: 'ana', after: openFirst },
  { name: 'tickets-none', address: addressOf('tickets'), as: 'mihai' },
  { name: 'tickets-staff', address: addressOf('tickets'), as: 'support' },
  { name: 'ticket-staff', address: addressOf('tickets'), as: 'support', after: openFirst },
  { name: 'api-keys-form', address: addressOf('api-keys'), as: 'ana', after: open('main', 0) },
  { name: 'billing-debt', address: addressOf('billing'), as: 'ioana' },
  { name: 'billing-panel-year', address: `${addressOf('billing')}/1?days=365`, as: 'ana' },
  { name: 'usages-meters', address: `${addressOf('usages')}?period=year&split=meter`, as: 'ana' },
  { name: 'usages-lines', address: `${addressOf('usages')}?split=lines`, as: 'ana' },
  { name: 'usages-none', address: addressOf('usages'), as: 'mihai' },
  { name: 'account-faults', address: account('billing'), as: 'ioana', after: fail },
  { name: 'account-leave', address: account('personal'), as: 'ioana', after: leave },
  {
    name: 'account-two-factor',
    address: account('two-factor'),
    as: 'ioana',
    after: pressIn(section.twoFactor),
  },
  {
    name: 'account-recovery-codes',
    address: account('two-factor'),
    as: 'ioana',
    before: (page) => page.route('**/two-factor/enable', (route) => route.fulfill({ json: recovery })),
    after: turnOn,
  },
  {
    name: 'account-identity-check',
    address: account('two-factor'),
    as: 'ioana',
    before: (page) =>
      page.route('**/two-factor/setup', (route) => route.fulfill({ status: 403, json: tooOld })),
    after: pressIn(section.twoFactor),
  },
]

/** The bell is before the person, whose button is the last of the bar. */
async function ring(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').filter({ visible: true }).nth(-2).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('rowheader').getByRole('link').first().click()
}

/** The sections of the account page in its order, because their names differ by language. */
const sectionOf = (page: Page, at: number) => page.getByRole('region').nth(at)

async function fail(page: Page): Promise<void> {
  const billing = sectionOf(page, section.billing)
  await billing.getByRole('textbox').nth(2).fill('')
  await billing.getByRole('button').last().click()
}

async function leave(page: Page): Promise<void> {
  await sectionOf(page, section.personal).getByRole('textbox').first().fill('Somebody else')
  await page.getByRole('banner').getByRole('link').first().click()
}

async function turnOn(page: Page): Promise<void> {
  await pressIn(section.twoFactor)(page)
  await sectionOf(page, section.twoFactor).getByRole('textbox').fill('123456')
  await page.keyboard.press('Enter')
}

async function refuse(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill('ana@demo.test')
  await page.getByRole('textbox').last().fill('not-the-password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(/./).waitFor()
}

function shots(): Shot[] {
  const pages = routeNames.map((name): Shot => {
    const as = routes[name].access === 'client' ? { as: 'ana' as const } : {}
    return { name, address: addressOf(name), ...as }
  })
  const wanted = process.argv.slice(2)
  return [...pages, ...states, ...guestStates].filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  )
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
  const fullPage = (await page.getByRole('dialog').count()) === 0 && !shot.address.includes('#')
  // The ribbon of a demo stays at the foot of the window, which in a picture of the whole page is its middle.
  const style = 'aside { position: static !important }'
  await page.screenshot({ path: file, fullPage, animations: 'disabled', style })
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
