// Runs all checks and ends with one line, `N passed, N failed`. `node .ci/check.ts` checks everything; with
// the word `tests`, only the tests.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { metFolder, unmetRefusals } from '../api/test/support/unmet-refusals.ts'
import { findChromium } from '../e2e/chromium.ts'
import { failuresOfPlaywright, failuresOfVitest } from './failures.ts'
import { scratchFolder } from './scratch.ts'
import { type Count, countLine, countPlaywright, countVitest, judged, sum } from './sum.ts'
import { allSpecs, changedSpecs, specsOf } from './turns.ts'
import { unhandledErrors } from './unhandled.ts'

const root = path.join(import.meta.dirname, '..')
const reports = path.join(root, '.cache/reports')
const bin = path.join(root, 'node_modules/.bin')
const scratch = scratchFolder()
/**
 * The seed of all random choices: a commit has its own, so that a second run of it makes the same ones, and each
 * commit tries others. Without a repository each run has its own.
 */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(commit.slice(0, 7), 16)
  } catch {
    return Date.now() % 2 ** 31
  }
}

const seed = Number(process.env.TEST_SEED || seedOfCommit())

const environment = {
  ...process.env,
  TEST_SEED: String(seed),
  TMPDIR: scratch.folder,
  PATH: `${bin}${path.delimiter}${process.env.PATH}`,
  // Tests start hundreds of processes that load the same modules: a cache halves the processor time of each start.
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/tests'),
}
// A hanging step is ended, so that the last line is always printed.
const deadline = Date.now() + 80 * 60_000
// Repeated before the last line: who reads only the end of the output must find them there.
const failures: string[] = []

type How = {
  readonly env?: Readonly<Record<string, string>>
  /** Printed whole at its end, for what runs beside something else. */
  readonly beside?: boolean
}

async function run(command: string, args: readonly string[], how: How = {}): Promise<number | null> {
  const { env = {}, beside = false } = how
  const begun = `\n$ ${command} ${args.join(' ')}`
  if (!beside) console.log(begun)
  const started = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
    env: { ...environment, ...env },
    timeout: Math.max(1, deadline - Date.now()),
    killSignal: 'SIGKILL',
  })
  let said = `${begun}\n`
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const [status] = await once(child, 'close')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const name = [command, ...args.slice(0, 2)].join(' ')
  console.log(`${beside ? said : ''}(${name}: ${seconds} s, ${status === 0 ? 'well' : 'FAILED'})`)
  return status
}

/** A step without tests: counts nothing when it succeeds, one failure when it does not. */
async function step(name: string, how: How = {}): Promise<Count> {
  const status = await run('npm', ['run', name], how)
  if (status !== 0) failures.push(`npm run ${name}`)
  return { passed: 0, failed: status === 0 ? 0 : 1 }
}

/** Runs tests that write a report, and counts it. A missing report is a failure. */
async function tests<C, F>(
  name: string,
  count: (report: C) => Count,
  failuresOf: (report: F) => string[],
  start: (report: string) => Promise<number | null>,
): Promise<Count> {
  const report = path.join(reports, `${name}.json`)
  fs.rmSync(report, { force: true })
  const status = await start(report)
  if (!fs.existsSync(report)) {
    failures.push(`${name} wrote no report`)
    return { passed: 0, failed: 1 }
  }
  // The reporter named in the command wrote the file; `judged` finds missing numbers.
  const written = JSON.parse(fs.readFileSync(report, 'utf8')) as C & F
  const counted = judged(count(written), status)
  const named = failuresOf(written)
  failures.push(...named)
  if (counted.failed > named.length) failures.push(`${name} ended with ${status}, though no test says why`)
  return counted
}

async function unit(): Promise<Count> {
  fs.rmSync(unhandledErrors, { force: true })
  const reporters = ['--reporter=default', '--reporter=./.ci/unhandled.ts', '--reporter=json']
  const counted = await tests('vitest', countVitest, failuresOfVitest, (report) =>
    run('vitest', ['run', ...reporters, `--outputFile.json=${report}`]),
  )
  if (fs.existsSync(unhandledErrors)) failures.push(...JSON.parse(fs.readFileSync(unhandledErrors, 'utf8')))
  return counted
}

/**
 * Every declared refusal must be caused by a test over HTTP, or be in the list of those that no test causes
 * yet.
 */
function refusalsMet(): Count {
  const texts = fs.existsSync(metFolder)
    ? fs.readdirSync(metFolder).map((name) => fs.readFileSync(path.join(metFolder, name), 'utf8'))
    : []
  const missing = unmetRefusals(new Set(texts.join('').split('\n')))
  failures.push(...missing)
  return { passed: missing.length === 0 ? 1 : 0, failed: missing.length }
}

/** The specs whose turn it is; all with SWEEP=whole. */
function browser(): Promise<Count> {
  const all = allSpecs()
  const chosen = process.env.SWEEP === 'whole' ? [] : specsOf(all, seed, changedSpecs())
  if (chosen.length > 0)
    console.log(`\nTEST_SEED=${seed} has the turn of these ${chosen.length} of ${all.length} browser specs.`)
  return tests('playwright', countPlaywright, failuresOfPlaywright, (report) =>
    run(
      'playwright',
      ['test', '--config=e2e', '--reporter=list,json', ...chosen.map((name) => `e2e/${name}`)],
      { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, CHROMIUM_PATH: findChromium() } },
    ),
  )
}

/**
 * The engine of Debian packages with its real daemons, where they can be had. It says in one line why not, and a
 * report of nothing counts nothing. Its daemons mostly wait, so it runs beside the unit tests, and has precedence over them.
 */
async function realEngine(): Promise<Count> {
  const report = path.join(reports, 'engine-debian.txt')
  fs.rmSync(report, { force: true })
  const status = await run('.ci/engine-debian', [], { beside: true, env: { ENGINE_REPORT: report } })
  const said = fs.existsSync(report) ? fs.readFileSync(report, 'utf8') : ''
  const counted = countLine(said, status)
  if (counted.failed > 0)
    failures.push(`.ci/engine-debian: ${counted.failed} failed\n${said.replaceAll(/^/gm, '    ')}`)
  return counted
}

type Part = () => Count | Promise<Count>

/** A step that throws has failed, and the others still run. */
async function guarded(part: Part): Promise<Count> {
  try {
    return await part()
  } catch (error) {
    failures.push(String(error))
    return { passed: 0, failed: 1 }
  }
}

/** Parts that run at the same time because each leaves a core idle for a while. */
const together =
  (...parts: Part[]): Part =>
  async () =>
    sum(await Promise.all(parts.map(guarded)))

/** Parts one after another. */
const inOrder =
  (...parts: Part[]): Part =>
  async () => {
    const counts: Count[] = []
    for (const part of parts) counts.push(await guarded(part))
    return sum(counts)
  }

const checks = ['lint', 'types'].map((name) => () => step(name, { beside: true }))
const building = () => step('build')
// Never beside the browser: an interface of the network that comes or goes breaks the connections of its pages.
const besideEngine = (...parts: Part[]) => together(realEngine, inOrder(...parts))
const afterUnits = [refusalsMet, browser]
// Linux reports the processor time of a process here.
const measuring = process.platform === 'linux' ? [() => step('bench:short')] : []
const releasing = () => step('test:previous')
const parts =
  process.argv[2] === 'tests'
    ? inOrder(besideEngine(building, unit), ...afterUnits)
    : inOrder(besideEngine(together(...checks), building, unit), ...afterUnits, releasing, ...measuring)

fs.mkdirSync(reports, { recursive: true })
fs.rmSync(metFolder, { recursive: true, force: true })
const { passed, failed } = sum([await guarded(parts)])
scratch.remove()
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
for (const failure of failures) console.log(`\nFAILED: ${failure}`)
console.log(`${passed} passed, ${failed} failed`)
