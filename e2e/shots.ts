import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type RouteName, routes } from '../web/src/routes.ts'
import { chromiumArguments, findChromium } from './chromium.ts'
import { startPortal } from './portal.ts'

/** Addresses of the pages whose path has parts that must be given, and of one more state worth looking at. */
const examples: Partial<Record<RouteName, string>> = {
  'verify-email': '/verify-email/1/0123456789abcdef',
  invitation: '/invitation/0123456789abcdef',
  'view-ticket': '/view-ticket/1',
  'edit-permissions': '/edit-permissions/1',
}
const more = {
  'dashboard-panel': '/1',
  'dashboard-clusters': '/1?tab=clusters',
  'not-found': '/no-such-page',
}

const widths = [1280, 360]
const schemes = ['light', 'dark'] as const
const languages = ['en', 'ro'] as const

const folder = path.resolve(import.meta.dirname, '../shots')

/** `npm run shots -- login dashboard` takes these only. */
const wanted = process.argv.slice(2)

function addresses(): [name: string, address: string][] {
  const names = Object.entries(routes).map(([name, { path: pattern }]): [string, string] => {
    const plain = pattern.replace(/\/:\w+\?/g, '') || '/'
    return [name, Object.entries(examples).find(([known]) => known === name)?.[1] ?? plain]
  })
  const all = [...names, ...Object.entries(more)]
  return wanted.length === 0 ? all : all.filter(([name]) => wanted.includes(name))
}

async function signIn(page: Page): Promise<void> {
  const answer = await page.request.post('/auth/login', {
    data: { email: 'ana@demo.test', password: 'portico-demo' },
  })
  const { code } = await answer.json()
  await page.request.get(`/auth/callback?code=${code}`)
}

async function take(page: Page, name: string, address: string, suffix: string): Promise<void> {
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({
    path: path.join(folder, `${name}.${suffix}.png`),
    fullPage: true,
    animations: 'disabled',
  })
}

type Look = {
  url: string
  width: number
  scheme: (typeof schemes)[number]
  language: (typeof languages)[number]
}

async function takeAll(browser: Browser, { url, width, scheme, language }: Look): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: scheme,
    viewport: { width, height: 800 },
  })
  await context.addCookies([{ name: 'lang', value: language, url }])
  const page = await context.newPage()
  const suffix = `${scheme}.${width}.${language}`
  const guests = addresses().filter(([name]) => isOpen(name))
  const members = addresses().filter(([name]) => !isOpen(name))
  for (const [name, address] of guests) await take(page, name, address, suffix)
  await signIn(page)
  for (const [name, address] of members) await take(page, name, address, suffix)
  await context.close()
}

const isOpen = (name: string): boolean =>
  Object.entries(routes).some(([known, { access }]) => known === name && access === 'open')

const portal = process.env['PORTAL_URL']
  ? { url: process.env['PORTAL_URL'], stop: async () => {} }
  : await startPortal()
fs.mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  for (const width of widths)
    for (const scheme of schemes)
      for (const language of languages) await takeAll(browser, { url: portal.url, width, scheme, language })
  console.log(`The pictures are in ${folder}`)
} finally {
  await browser.close()
  await portal.stop()
}
