import type { Env } from '#config/env.ts'
import { systemClock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import { failureMessage } from '#platform/errors/failure-message.ts'
import type { Vault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { listEngines } from '#workspaces/engines/registry.ts'
import { type Finding, good, hint, stop, warn } from './finding.ts'

const about = 'engine'

type Listed = Awaited<ReturnType<typeof listEngines>>[number]

function general(enabled: readonly Listed[], { seed }: Env): Finding[] {
  if (seed === 'demo') return [good(about, 'the demo simulates one.', 'demonstrația simulează unul.')]
  if (enabled.length === 0)
    return [
      stop(
        about,
        `panels cannot be created, because there is no engine; an administrator adds one at /desk/engines.`,
        `nu se pot crea panouri, pentru că nu există un motor; un administrator adaugă unul la /desk/engines.`,
      ),
    ]
  if (enabled.every(({ kind }) => kind === 'simulated'))
    return [
      stop(
        about,
        'only the built-in one is enabled, and its panels do not exist although they are charged; an administrator adds a real one at /desk/engines.',
        'este activ doar cel încorporat, ale cărui panouri nu există, deși se facturează; un administrator adaugă unul real la /desk/engines.',
      ),
    ]
  const simulated = enabled.find(({ kind }) => kind === 'simulated')
  return [
    ...(enabled.some(({ is_default }) => is_default)
      ? []
      : [
          hint(
            about,
            `none is the default, so panels are only created in the engines of plans; /desk/engines makes one the default.`,
            `niciunul nu este implicit, deci panourile se creează doar în motoarele planurilor; la /desk/engines unul poate deveni implicit.`,
          ),
        ]),
    ...(simulated
      ? [
          hint(
            about,
            'the simulated one is enabled, and its panels do not exist; disable it at /desk/engines.',
            'cel simulat este activ, iar panourile lui nu există; dezactivează-l la /desk/engines.',
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
    if (access === undefined)
      return hint(about, `${code} was disabled meanwhile.`, `${code} a fost dezactivat între timp.`)
    return adapters
      .open(access)
      .health()
      .then(
        ({ version }) =>
          good(
            about,
            `${code} answers${version === undefined ? '' : `, version ${version}`}.`,
            `${code} răspunde${version === undefined ? '' : `, versiunea ${version}`}.`,
          ),
        (error: unknown) =>
          warn(
            about,
            `${code} does not answer (${failureMessage(error)}); check that it runs, its address and its secret.`,
            `${code} nu răspunde (${failureMessage(error)}); verifică dacă rulează, adresa și secretul lui.`,
          ),
      )
  }
  const health = await Promise.all(enabled.filter(({ kind }) => kind !== 'simulated').map(ask))
  await adapters.close()
  return [...general(enabled, env), ...health]
}
