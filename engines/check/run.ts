import { type Check, NothingToCheck, offers } from './check.ts'
import { checks } from './checks.ts'
import { Client } from './client.ts'

export type Outcome = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The reason for a failure or a skip. */
  readonly detail?: string
}

/** What failed, and why where it is known: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/**
 * Checks an engine against the contract, one requirement at a time; deletes the created panels at the end.
 */
export async function checkEngine(
  engine: { readonly url: string; readonly secret: string },
  more: readonly Check[] = [],
  report: (outcome: Outcome) => void = () => undefined,
): Promise<Outcome[]> {
  const client = new Client(engine.url, engine.secret)
  const outcomes: Outcome[] = []
  const record = (outcome: Outcome) => {
    outcomes.push(outcome)
    report(outcome)
  }
  const about = 'it reports its health and capabilities'
  const capabilities = await client.health().catch((error: unknown) => {
    record({ name: about, state: 'failed', detail: reasonOf(error) })
    return undefined
  })
  if (!capabilities) return outcomes
  record({ name: about, state: 'passed' })
  for (const { name, needs, run } of [...checks, ...more]) {
    if (needs !== undefined && !offers(capabilities, needs)) {
      record({ name, state: 'skipped', detail: `the engine does not offer ${needs}` })
      continue
    }
    const state = (error: unknown) => (error instanceof NothingToCheck ? 'skipped' : 'failed')
    const outcome = await run(client, capabilities).then(
      (): Outcome => ({ name, state: 'passed' }),
      (error: unknown): Outcome => ({ name, state: state(error), detail: reasonOf(error) }),
    )
    record(outcome)
  }
  await client.clear()
  return outcomes
}
