import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      '.ci/*.test.ts',
      'contract/src/**/*.test.ts',
      'engines/**/*.test.ts',
      'api/src/**/*.test.ts',
      'api/test/**/*.test.ts',
      'web/{src,tools}/**/*.test.{ts,tsx}',
    ],
    // One PostgreSQL for the run; each file clones its databases from the migrated template.
    globalSetup: ['api/test/support/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // One more than a small machine has cores: much of what is tested waits on purpose. By itself it would leave a core idle.
    maxWorkers: 3,
    // As in the browser: a second try tells what a busy machine did from what is broken, and the report names those that needed it.
    retry: 1,
  },
})
