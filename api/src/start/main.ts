import { pino } from 'pino'
import { describeVariables } from '#config/describe-variables.ts'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { isThisMachine } from '#config/env-values.ts'
import { demoAccounts, demoPassword } from '#demo/accounts.ts'
import { redact } from '#identity/sessions/redact.ts'
import { type Portal, startPortal } from './portal.ts'

const begun = performance.now()

/** The process ends after this many milliseconds, whatever hangs. */
const stopWithin = 4800

const say = (text: string) => console.log(text)

/** Ends the process after the signal once everything has stopped; a second signal ends it at once. */
function watchSignals(halt: AbortController): void {
  let first: number | undefined
  const force = () => process.exit(1)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (first === undefined) {
        first = performance.now()
        setTimeout(force, stopWithin).unref()
        halt.abort()
        // A Ctrl-C under npm arrives twice: once from the terminal and once from npm.
      } else if (performance.now() - first > 500) force()
    })
  }
}

/** An uncaught error leaves an unknown state: log it, and shut down. */
function watchBugs(halt: AbortController): void {
  process.on('uncaughtException', (error) => {
    console.error('Portico stops because of an unexpected error.', error)
    process.exitCode = 1
    setTimeout(() => process.exit(1), stopWithin).unref()
    halt.abort()
  })
}

/**
 * The last message of the start, framed, because a demo that others can reach is easily mistaken for a safe
 * one.
 */
function openDemoWarning(host: string): string {
  const lines = [
    `WARNING: this demo listens on ${host}, so others can reach it.`,
    'Everyone knows the passwords of its accounts. Keep nothing real in it,',
    'or leave out HOST so that only this machine can reach it.',
  ]
  const width = Math.max(...lines.map(({ length }) => length))
  const edge = '*'.repeat(width + 4)
  return ['', edge, ...lines.map((line) => `* ${line.padEnd(width)} *`), edge].join('\n')
}

function demoGreeting({ publicUrl, host }: Env): string[] {
  const longest = Math.max(...demoAccounts.map(({ email }) => email.length))
  return [
    `\nSign in with one of the demo's accounts; the password is ${demoPassword}.`,
    ...demoAccounts.map(({ email, note }) => `  ${email.padEnd(longest)}  ${note.en}`),
    `\nIts outgoing letters are at ${publicUrl}/outbox.`,
    'Ctrl-C stops everything.',
    ...(isThisMachine(host) ? [] : [openDemoWarning(host)]),
  ]
}

const firstAdminGreeting = (link: string): string[] => [
  '\nThis portal has no administrator yet, so nobody can register. Open this link within 24 hours to become the first:',
  `\n  ${link}\n`,
  'Keep it secret. npm run setup:link makes a new one, and the earlier ones invalid.',
]

/** Writes all lines at once, so that a program that waits for the first one has the others too. */
function greet(env: Env, { timings, setupLink }: Portal): void {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
  const steps = Object.entries(timings).map(([step, took]) => `${step} ${seconds(took)}`)
  const ready = `Portico is ready: ${env.publicUrl} (started in ${seconds(performance.now() - begun)} s: ${steps.join(', ')})`
  const setup = setupLink === undefined ? [] : firstAdminGreeting(setupLink)
  say([ready, ...(env.seed === 'demo' ? demoGreeting(env) : setup)].join('\n'))
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return say(`Variables that Portico reads:\n\n${describeVariables()}`)
  const halt = new AbortController()
  watchSignals(halt)
  watchBugs(halt)
  const env = readEnv(process.env)
  // Lines are buffered: a separate write for each costs a busy server as much as producing the line.
  const out = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 })
  const log = pino({ level: env.logLevel, redact }, out)
  const portal = await startPortal(env, { source: process.env, say, log, signal: halt.signal }).catch(
    (error: unknown) => {
      if (halt.signal.aborted) return undefined
      throw error
    },
  )
  if (portal === undefined) return
  greet(env, portal)
  if (!halt.signal.aborted) await new Promise((resolve) => halt.signal.addEventListener('abort', resolve))
  await portal.stop()
  out.flushSync()
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
// Everything that matters is closed, so a busy event loop need not be awaited.
process.exit()
