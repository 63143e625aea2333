// Lighthouse's score of speed on a phone, of every page of customers: `npm run bench:lighthouse`, or with the names of
// some. Behind nginx as `deploy/` has it, so over HTTP/2, where nginx is installed. Lighthouse is not among the packages of
// the portal, because of its size; npx brings it.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from '@playwright/test'
import { host, isInstalled, startProxy } from '../api/test/support/proxies.ts'
import { addressOf, routeNames } from '../e2e/addresses.ts'
import { chromiumArguments, findChromium } from '../e2e/chromium.ts'
import { startPortal } from '../e2e/portal.ts'
import { type RouteName, routes } from '../web/src/routes.ts'

const lighthouse = 'lighthouse@13.5.0'
const times = 3

/** A phone is this many times slower than a computer that Lighthouse gives this index of speed. */
const slowedBy = 4
const indexOfComputer = 1500

/** The least score of a page, of 100. */
const leastOf = (name: RouteName): number => ({ login: 98, dashboard: 95 })[name as string] ?? 90

const run = promisify(execFile)

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

type Report = {
  readonly environment: { readonly benchmarkIndex: number }
  readonly categories: { readonly performance: { readonly score: number | null } }
  readonly audits: Readonly<Record<string, { readonly displayValue?: string }>>
  readonly runtimeError?: { readonly message: string }
}
type Result = { readonly score: number; readonly why: string; readonly index: number }

const shown = { FCP: 'first-contentful-paint', LCP: 'largest-contentful-paint', TBT: 'total-blocking-time' }

/** How fast the machine was at the last visit; a busy or slow one is slowed down less, or it would be no phone. */
let index = indexOfComputer

/** One visit of a page, by a browser that listens at this port. */
async function visited(address: string, port: number): Promise<Result> {
  const slower = Math.min(slowedBy, Math.max(1, (slowedBy * index) / indexOfComputer))
  const flags = [`--port=${port}`, '--only-categories=performance', '--output=json', '--quiet']
  flags.push(`--throttling.cpuSlowdownMultiplier=${slower.toFixed(2)}`)
  const { stdout } = await run('npx', ['--yes', lighthouse, address, ...flags], { maxBuffer: 2 ** 28 }).catch(
    // The error itself holds the whole report.
    ({ stderr }: { stderr: string }) => Promise.reject(new Error(`${address}: ${stderr}`)),
  )
  const { categories, audits, environment, runtimeError }: Report = JSON.parse(stdout)
  index = environment.benchmarkIndex
  if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`)
  const why = Object.entries(shown).map(([short, audit]) => `${short} ${audits[audit]?.displayValue}`)
  return { score: Math.round((categories.performance.score ?? 0) * 100), why: why.join(', '), index }
}

/** The median of three visits; one is enough where it is already good, because noise only lowers a score. */
async function judged(address: string, least: number, port: number): Promise<Result> {
  const results: Result[] = []
  while (results.length < times && !(results.length === 1 && (results[0]?.score ?? 0) >= least))
    results.push(await visited(address, port))
  const median = results.toSorted((a, b) => a.score - b.score)[results.length >> 1]
  if (!median) throw new Error('There was no visit.')
  return median
}

/** Signs the demo's owner in from a page: only the browser knows where the proxy's name leads. */
async function signIn(browser: BrowserContext): Promise<void> {
  const page = await browser.newPage()
  await page.goto('/login')
  await page.evaluate(async () => {
    const body = JSON.stringify({ email: 'ana@demo.test', password: 'portico-demo' })
    const headers = { 'content-type': 'application/json' }
    const { code } = await (await fetch('/auth/login', { method: 'POST', headers, body })).json()
    await fetch(`/auth/callback?code=${code}`)
  })
  await page.close()
}

const wanted = process.argv.slice(2)
const pages = routeNames.filter((name) => wanted.length === 0 || wanted.includes(name))
const portal = await startPortal()
const proxy = isInstalled('nginx') ? await startProxy('nginx', Number(new URL(portal.url).port)) : undefined
const base = proxy ? `https://${host}:${proxy.securePort}` : portal.url
console.log(proxy ? 'Over HTTP/2, behind nginx.' : 'Over HTTP/1.1: nginx is not installed.')
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-lighthouse-'))
const port = await freePort()
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: findChromium(),
  args: [
    ...chromiumArguments,
    `--remote-debugging-port=${port}`,
    `--host-resolver-rules=MAP ${host} 127.0.0.1`,
    // The certificate is of an authority that this run made.
    '--ignore-certificate-errors',
  ],
  baseURL: base,
  ignoreHTTPSErrors: true,
})
try {
  const low: string[] = []
  await visited(base, port)
  // Guests' pages first: people who are signed in are sent away from some.
  for (const access of ['open', 'client'] as const) {
    if (access === 'client') {
      await signIn(browser)
    }
    for (const name of pages.filter((page) => (routes[page].access === 'client') === (access === 'client'))) {
      const least = leastOf(name)
      const { score, why, index: speed } = await judged(`${base}${addressOf(name)}`, least, port)
      console.log(`${score}  ${name} (at least ${least}; ${why}; index ${speed})`)
      if (score < least) low.push(name)
    }
  }
  console.log(low.length === 0 ? 'Every page is fast enough.' : `Too slow: ${low.join(', ')}`)
  process.exitCode = low.length === 0 ? 0 : 1
} finally {
  await browser.close()
  fs.rmSync(profile, { recursive: true, force: true })
  await proxy?.stop()
  await portal.stop()
}
