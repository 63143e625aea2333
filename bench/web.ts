// Lighthouse's mobile run (slow processor, slow network) of the sign-in page and of the dashboard of a demo.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findChromium } from '../e2e/chromium.ts'
import { freePort, median } from './support/load.ts'

const root = path.resolve(import.meta.dirname, '..')
const rounds = Number(process.env.ROUNDS ?? 3)
const floors = { login: 98, dashboard: 95 }

async function demo(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-web-'))
  fs.chmodSync(dataDir, 0o755)
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://localhost:${port}`
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok)
    await new Promise((done) => setTimeout(done, 50))
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return { url, stop }
}

type Figures = { readonly score: number; readonly fcp: number; readonly lcp: number; readonly tbt: number }

async function measure(url: string, port: number): Promise<Figures> {
  const result = await lighthouse(url, {
    port,
    onlyCategories: ['performance'],
    disableStorageReset: true,
    logLevel: 'error',
  })
  const audits = result?.lhr.audits ?? {}
  const value = (name: string) => Math.round(audits[name]?.numericValue ?? Number.NaN)
  return {
    score: Math.round((result?.lhr.categories.performance?.score ?? 0) * 100),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
  }
}

async function page(name: keyof typeof floors, url: string, port: number): Promise<boolean> {
  const runs: Figures[] = []
  for (let round = 0; round < rounds; round++) runs.push(await measure(url, port))
  const of = (pick: (one: Figures) => number) => median(runs.map(pick))
  const score = of((one) => one.score)
  console.log(
    `${name.padEnd(10)} score ${score} (of runs: ${runs.map((one) => one.score).join(' ')}), first paint ${of((one) => one.fcp)} ms, largest paint ${of((one) => one.lcp)} ms, blocked ${of((one) => one.tbt)} ms`,
  )
  return score >= floors[name]
}

const { url, stop } = await demo()
const debugPort = await freePort()
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-chromium-'))
const context = await chromium.launchPersistentContext(profile, {
  executablePath: findChromium(),
  args: [`--remote-debugging-port=${debugPort}`, '--no-sandbox', '--disable-background-networking'],
})
let good = false
try {
  const login = await page('login', `${url}/login`, debugPort)
  const tab = await context.newPage()
  await tab.goto(`${url}/login`)
  await tab.getByRole('button', { name: /Ana/ }).first().click()
  await tab.waitForURL(`${url}/`)
  const dashboard = await page('dashboard', `${url}/`, debugPort)
  good = login && dashboard
} finally {
  await context.close()
  await stop()
  fs.rmSync(profile, { recursive: true, force: true })
}
if (!good) throw new Error(`Below the floors ${JSON.stringify(floors)}`)
