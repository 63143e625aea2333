import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './chromium.ts'

// The workers, which are other processes, choose by the same seed.
process.env.TEST_SEED ||= String(Date.now() % 2 ** 31)

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  // One more than a small machine has cores: a page waits for the portal, and the portal for the page.
  workers: 3,
  // Three browsers share a machine that may have others' work to do.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    // Drawing each frame of a transition takes a tenth of the whole time; motion.spec.ts tests transitions.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'Europe/Bucharest',
    // Recording a trace would cost all that pass a part of their time.
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
})
