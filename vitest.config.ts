import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Files that hold whole processes to seconds run nearly alone, or their times would be those of their neighbours; a file that
// puts itself in the place of a browser has its worker to itself.
const alone = [
  '.ci/seed-coverage.test.ts',
  'api/src/platform/db/embedded/embedded.test.ts',
  'api/test/{database-restart,drain,standstill,start,start-after-kill,stop-for-abuse}.test.ts',
]

// Files that take longest begin first: begun last, one of them ends a minute after all others, beside idle cores.
const longest = [
  'api/test/matrix.test.ts',
  'api/test/start.test.ts',
  'api/test/start-after-kill.test.ts',
  'api/test/standstill.test.ts',
  'engines/check/check.test.ts',
  'api/test/backup.test.ts',
  'api/test/plans-command.test.ts',
  'api/test/engines.test.ts',
  'engines/check/figures.test.ts',
  'api/src/platform/db/pool.test.ts',
  'api/src/money/tax-office/chaos.test.ts',
  'api/src/workspaces/engines/http-engine-later.test.ts',
  'api/test/read-replica.test.ts',
  'api/test/sockets.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return found === -1 ? longest.length : found
    }
    // Sorting keeps the order of equals, which is vitest's own.
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // One PostgreSQL for the run; each file clones its databases from the migrated template.
    globalSetup: ['api/test/support/global-setup.ts'],
    // A machine that is busy, or has not read its disk lately, is no fault.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Keeps transformed files for the next run: a single file would mostly wait for that.
    fsModuleCache: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            '.ci/*.test.ts',
            'contract/src/**/*.test.ts',
            'engines/**/*.test.ts',
            'api/src/**/*.test.ts',
            'api/test/**/*.test.ts',
            'web/{src,tools}/**/*.test.{ts,tsx}',
          ],
          exclude: alone,
          // Loading the portal for each file again would take two fifths of the whole time.
          isolate: false,
          // One more than a small machine has cores: much of what is tested waits on purpose. By itself it would leave a core idle.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
