import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

/** Chromium without windows, of Debian: it draws the same pages in two thirds of the time. */
const shell = '/usr/bin/chromium-headless-shell'

const usual = [
  shell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** How it is started: without a sandbox as root, who may have none, and without asking its maker for anything. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Without a graphics card the GPU path falls back to the processor and takes a fifth longer.
  '--disable-gpu',
]

function present(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...usual, chromium.executablePath()].find(
    (file) => file !== undefined && file !== '' && fs.existsSync(file),
  )
}

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, {
    cwd: path.join(import.meta.dirname, '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  }).status === 0

const apt = (name: string) => run('apt-get', 'install', '-y', '--no-install-recommends', name)

/** A font in the widths of Arial, which the portal's pages begin with until theirs has arrived. */
const usualFont = '/usr/share/fonts/truetype/liberation'

const isRootOfDebian = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')

/** Layout shifts are measured with the font that nearly every desktop has; a bare machine gets it first. */
function ensureFont(): void {
  if (!isRootOfDebian || !process.env.CI || fs.existsSync(usualFont)) return
  console.log('Installing fonts by apt.')
  if (run('apt-get', 'update')) apt('fonts-liberation')
}

/**
 * Returns the Chromium of the browser tests: CHROMIUM_PATH, one of the system, or Playwright's own. Without any, it is
 * installed: by apt for root, which also brings the libraries it needs, else by Playwright. A machine that only checks
 * gets the faster one in addition to another that it has.
 */
export function findChromium(): string {
  ensureFont()
  const found = present()
  const isSlow = isRootOfDebian && process.env.CI && !process.env.CHROMIUM_PATH && found !== shell
  if (found !== undefined && !isSlow) return found
  console.log(`Installing Chromium by ${isRootOfDebian ? 'apt' : 'Playwright'}.`)
  if (isRootOfDebian) run('apt-get', 'update') && (apt('chromium-headless-shell') || found || apt('chromium'))
  else run('node_modules/.bin/playwright', 'install', 'chromium')
  const installed = present()
  if (installed === undefined)
    throw new Error('There is no Chromium: install one, or say where it is by CHROMIUM_PATH.')
  return installed
}
