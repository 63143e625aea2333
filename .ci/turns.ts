// Which browser specs a whole run has: the ones below in each, the others by turns. `npm run test:long` has all.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** The specs of every run: every page opens, keeps its budget and is for everybody, and the ways that no day goes without. */
export const everyRun: ReadonlySet<string> = new Set([
  'accessibility.spec.ts',
  'add-panel.spec.ts',
  'copy.spec.ts',
  'desk.spec.ts',
  'failures.spec.ts',
  'first-invoice.spec.ts',
  'first-paint.spec.ts',
  'home.spec.ts',
  'narrow.spec.ts',
  'panel-page.spec.ts',
  'payment.spec.ts',
  'polling.spec.ts',
  'refusals.spec.ts',
  'routes.spec.ts',
  'setup.spec.ts',
  'sign-in.spec.ts',
  'tickets.spec.ts',
  'weight.spec.ts',
])

/**
 * Every other spec has its turn in one run of so many. Two and three are no parts of it: the same seed chooses one look of two and
 * one page of three, and each spec is to have its turn with all of them.
 */
export const turns = 7

export type Spec = { readonly name: string; readonly bytes: number }

/**
 * The specs of the run with this seed. `changed` are those that were touched lately: they do not wait for their turn. The long
 * ones are dealt out first, to and fro, so that no turn takes much longer than another.
 */
export function specsOf(specs: readonly Spec[], seed: number, changed: ReadonlySet<string>): string[] {
  const others = specs
    .filter(({ name }) => !everyRun.has(name))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
  const turn = seed % turns
  const isNow = (at: number) => {
    const place = at % (2 * turns)
    return place === turn || place === 2 * turns - 1 - turn
  }
  const chosen = new Set(others.filter((_, at) => isNow(at)).map(({ name }) => name))
  return specs
    .map(({ name }) => name)
    .filter((name) => everyRun.has(name) || changed.has(name) || chosen.has(name))
}

const folder = path.join(import.meta.dirname, '../e2e')

export const allSpecs = (): Spec[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => ({ name, bytes: fs.statSync(path.join(folder, name)).size }))

/** A run checks commits of some hours together. */
const lately = 3 * 60 * 60

/** The specs of the commits of the three hours before this one, and of what is not committed. Without a history none is known. */
export function changedSpecs(): ReadonlySet<string> {
  const lines = (...args: string[]) => {
    try {
      const said = execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
      return said.split('\n').map((file) => path.basename(file))
    } catch {
      return []
    }
  }
  const [at] = lines('log', '-1', '--format=%ct')
  return new Set([
    ...lines('log', `--since=${Number(at) - lately}`, '--name-only', '--format=', '--', '.'),
    ...lines('diff', '--name-only', 'HEAD', '--', '.'),
    ...lines('ls-files', '--others', '--exclude-standard', '.'),
  ])
}
