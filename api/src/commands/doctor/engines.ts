import type { Env } from '#config/env.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import type { Vault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { listEngines } from '#workspaces/engines/registry.ts'
import { type Finding, good, note, reasonOf, wrong } from './finding.ts'

const about = 'engine'
const add = 'npm run engine:add -- --name NAME --url URL --default adds one.'

type Listed = Awaited<ReturnType<typeof listEngines>>[number]

function general(enabled: readonly Listed[]): Finding[] {
  if (enabled.every(({ kind }) => kind === 'simulated'))
    return [wrong(about, `panels cannot be created, because there is no real engine; ${add}`)]
  const simulated = enabled.find(({ kind }) => kind === 'simulated')
  return [
    ...(enabled.some(({ is_default }) => is_default)
      ? []
      : [note(about, `none is the default, so panels are only created in the engines of plans; ${add}`)]),
    ...(simulated
      ? [
          note(
            about,
            'the simulated one is enabled, and its panels do not exist; npm run engine:disable -- simulated ends that.',
          ),
        ]
      : []),
  ]
}

/** Asks every real engine for its health. */
export async function checkEngines(
  env: Env,
  { pool, vault }: { pool: Pool; vault: Vault },
): Promise<Finding[]> {
  const enabled = (await listEngines(pool.kysely)).filter(({ disabled_at }) => disabled_at === null)
  const adapters = engineAdapters({
    clock: systemClock,
    ...env,
    allowed: allowedHosts(env.engineAllowedHosts),
  })
  const ask = async ({ code }: Listed): Promise<Finding> => {
    const access = await engineAccess({ db: pool.kysely, vault }, { code })
    if (access === undefined) return note(about, `${code} was disabled meanwhile.`)
    return adapters
      .open(access)
      .health()
      .then(
        ({ version }) =>
          good(about, `${code} answers${version === undefined ? '' : `, version ${version}`}.`),
        (error: unknown) =>
          wrong(
            about,
            `${code} does not answer (${reasonOf(error)}); check that it runs, its address and its secret.`,
          ),
      )
  }
  const health = await Promise.all(enabled.filter(({ kind }) => kind !== 'simulated').map(ask))
  await adapters.close()
  return [...general(enabled), ...health]
}
