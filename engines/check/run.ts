import { type Check, capabilitiesOf, checks } from './checks.ts'
import { Client } from './client.ts'

export type Outcome = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The reason for a failure or a skip. */
  readonly detail?: string
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Checks an engine against the contract, one requirement at a time; deletes the created panels at the end.
 */
export async function checkEngine(
  engine: { readonly url: string; readonly secret: string },
  more: readonly Check[] = [],
  told: (outcome: Outcome) => void = () => undefined,
): Promise<Outcome[]> {
  const client = new Client(engine.url, engine.secret)
  const outcomes: Outcome[] = []
  const tell = (outcome: Outcome) => {
    outcomes.push(outcome)
    told(outcome)
  }
  const about = 'it says how it does and what it can do'
  const capabilities = await capabilitiesOf(client).catch((error: unknown) => {
    tell({ name: about, state: 'failed', detail: reasonOf(error) })
    return undefined
  })
  if (!capabilities) return outcomes
  tell({ name: about, state: 'passed' })
  for (const { name, needs, run } of [...checks, ...more]) {
    const offered =
      needs === 'usage' ? capabilities.usage === 'push' : needs === undefined || capabilities[needs]
    if (!offered) {
      tell({ name, state: 'skipped', detail: `the engine does not offer ${needs}` })
      continue
    }
    const failed = await run(client, capabilities).then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    )
    tell(failed === undefined ? { name, state: 'passed' } : { name, state: 'failed', detail: failed })
  }
  await client.clear()
  return outcomes
}
