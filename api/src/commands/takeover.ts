import { stdin, stdout } from 'node:process'
import readline from 'node:readline/promises'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import type { PaymentProvider, ProviderMovement } from '#money/payments/providers/payment-provider.ts'
import {
  activeSeries,
  alertMovements,
  chargingProviders,
  type Series,
  skipNumbers,
  unknownMovements,
} from '#money/takeover.ts'
import { countWaitingLetters, dropWaitingLetters } from '#notifications/waiting-letters.ts'
import { copyOf, lastAlive, markActing } from '#platform/acts-as.ts'
import { skipIds } from '#platform/backup/skip-ids.ts'
import { systemClock } from '#platform/clock.ts'
import { withClient } from '#platform/db/client.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { storedEnv } from '#platform/settings/settings.ts'
import { tokenSecret } from '#platform/token-secret.ts'
import { withDatabase } from './with-database.ts'

/** Asks the person at the terminal; the answers may also come from a file. */
type Ask = (question: string) => Promise<string>

const unchanged = () => new CannotStart('The answers ended, so nothing was changed: the portal stays a copy.')

/** Reads answers line by line, which `readline` alone loses when they arrive at once. */
function asker(): { ask: Ask; close: () => void } {
  const terminal = readline.createInterface({ input: stdin })
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    stdout.write(`${question} `)
    const { value, done } = await lines.next()
    if (done) throw unchanged()
    return String(value).trim()
  }
  return { ask, close: () => terminal.close() }
}

type Movements = readonly ProviderMovement[] | undefined

async function findMovements(db: Database, provider: PaymentProvider, since: Date | undefined) {
  const movements = since && unknownMovements(db, provider, since, systemClock.now())
  return movements?.catch((error) => {
    console.log(
      `The payments since then are unknown, because ${provider.id} did not answer: ${error.message}`,
    )
    return undefined
  })
}

function sayMovements(unknown: Movements): void {
  if (unknown === undefined) return
  console.log(`${unknown.length} payments and refunds since then are not in this database.`)
  for (const { kind, ref, amount, currency, at } of unknown)
    console.log(`  ${kind} ${ref}: ${amount} ${currency}, ${at.toISOString()}`)
  if (unknown.length > 0)
    console.log(
      'Staff get an alert about each. A client who was charged is not charged automatically until it is resolved.',
    )
}

/**
 * Lists what only the providers have; returns the action that alerts staff to it. That asks once more, because the original may have
 * charged until it was turned off.
 */
async function listMovements(env: Env, pool: Pool, secret: string, since: Date | undefined) {
  const db = pool.kysely
  const payments = paymentsOf(env, { pool, clock: systemClock, secret })
  const current = payments.isOpen ? payments.current : undefined
  const silent = (await chargingProviders(db)).filter((id) => id !== current?.id)
  for (const id of silent)
    console.log(`The payments since then are unknown, because ${id} is not configured.`)
  if (current === undefined && silent.length === 0) console.log('No payment provider is configured.')
  const unknown = current && (await findMovements(db, current, since))
  sayMovements(unknown)
  if (silent.length > 0 || (current && unknown === undefined))
    console.log('No card is charged automatically until staff resolve the alert about unknown charges.')
  return async () => {
    for (const id of silent) await alertMovements(db, id, undefined)
    if (current) await alertMovements(db, current.id, unknown && (await findMovements(db, current, since)))
  }
}

async function askLast({ prefix, last }: Series, ask: Ask): Promise<number> {
  for (;;) {
    const answer = await ask(
      `The last number given in the series ${prefix} (here ${last}; Enter for the same):`,
    )
    const given = answer === '' ? last : Number(answer)
    if (/^\d{0,9}$/.test(answer) && given >= last && given - last <= 100_000) return given
    console.log(`A whole number from ${last} is needed.`)
  }
}

async function askLetters(db: Database, ask: Ask): Promise<boolean> {
  const waiting = await countWaitingLetters(db)
  if (waiting === 0) return true
  const answer = await ask(`${waiting} letters wait. Send them? Their recipients may have them (yes or no):`)
  return answer.toLowerCase() === 'yes'
}

/** Asks everything before anything is changed. */
async function takeOver(env: Env, pool: Pool, ask: Ask): Promise<() => Promise<void>> {
  const db = pool.kysely
  const numbers: [Series, number][] = []
  for (const series of await activeSeries(db)) numbers.push([series, await askLast(series, ask)])
  console.log('A series that was begun after the backup is not known here: never use its prefix again.')
  const sends = await askLetters(db, ask)
  const answer = await ask(`Let this portal act as ${env.publicUrl}? The original must be off (yes or no):`)
  if (answer.toLowerCase() !== 'yes') throw new CannotStart('Nothing was changed: the portal stays a copy.')
  return async () => {
    for (const [series, last] of numbers) await skipNumbers(db, series, last)
    await skipIds(db)
    console.log('New ids continue a million higher, above those that the original may have given.')
    if (!sends) await dropWaitingLetters(db, systemClock.now())
  }
}

/** `npm run takeover`: lets a copy act in place of its original, from the next start on. */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  await withDatabase(env, 'takeover', async (pool, vault, connection) => {
    const reason = await copyOf(env, connection)
    if (reason === undefined) {
      console.log('This portal is not a copy: it acts.')
      return
    }
    const since = await withClient(connection, lastAlive)
    console.log(`This portal is a copy, because ${reason}.`)
    console.log(
      since
        ? `Its original was last active at ${since.toISOString()}.`
        : 'It is not known when its original was last active.',
    )
    const complete = await storedEnv(process.env, { db: pool.kysely, vault })
    const alert = await listMovements(complete, pool, await tokenSecret(env, connection), since)
    const { ask, close } = asker()
    const change = await takeOver(env, pool, ask).finally(close)
    await change()
    await alert()
    await withClient(connection, (client) => markActing(client, env))
    console.log(
      `${env.act ? 'Restart' : 'Remove ACT, and restart'} the portal on every machine: it acts from then on.`,
    )
  })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
