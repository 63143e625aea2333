import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // A second try tells what a busy machine did from what is broken; the report names those that needed it.
  retries: 1,
  // Two browsers share a machine that may have others' work to do.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Bucharest',
    // A second try leaves what it did and saw. Recording each first one costs all that pass a part of their time.
    trace: 'on-first-retry',
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
})
