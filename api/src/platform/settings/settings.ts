import type { Logger } from 'pino'
import { CannotStart, type Env, readEnv } from '#config/env.ts'
import { type Stored, setByServer } from '#config/stored-settings.ts'
import { type Brand, plainBrand, readBrand, readBrandVersion } from '#platform/brand/brand.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'
import { noteServer, readStored, readVersion } from './stored.ts'

type Source = Readonly<Record<string, string | undefined>>

/** The configuration of this process, which follows what is entered at the desk. */
export type Settings = {
  /** Always current: read a property when it is used, because a copy or a spread is of its moment. */
  readonly env: Env
  /** The settings that variables set. */
  readonly byServer: Stored
  /** How the portal looks to customers; always current too. */
  readonly brand: () => Brand
  /** The configuration with these values entered at the desk. Throws `CannotStart` when it is invalid. */
  readonly with: (stored: Stored) => Env
  /** Reads what is stored, at once instead of within seconds. */
  readonly refresh: () => Promise<void>
}

declare module '#platform/context.ts' {
  interface Ports {
    readonly settings: Settings
  }
}

type Following = Settings & {
  /** Calls back after each change. */
  readonly onChange: (listener: () => Promise<void>) => void
  readonly stop: () => void
}

const pollMs = 3000

type Parts = { readonly pool: Pool; readonly vault: Vault; readonly log: Logger }

/** Follows the brand, which changes without the settings. */
function followBrand(db: Database) {
  let brand = plainBrand
  let version: string | undefined
  const read = async () => {
    const newest = await readBrandVersion(db)
    if (newest === version) return
    brand = await readBrand(db)
    version = newest
  }
  return { brand: () => brand, read }
}

/**
 * Follows the settings in the database: every process asks for their version every three seconds, because a pooler may pass
 * no notifications on. Values that a newer check refuses are left out, with a line in the log.
 */
export async function followSettings(
  source: Source,
  fixed: Pick<Env, 'tokenSecret'>,
  { pool, vault, log }: Parts,
): Promise<Following> {
  const db = pool.kysely
  const byServer = setByServer(source)
  const withStored = (stored: Stored): Env => ({ ...readEnv(source, stored), ...fixed })
  let current = withStored({})
  let version: number | undefined
  const listeners: (() => Promise<void>)[] = []
  const { brand, read: readLook } = followBrand(db)
  const read = async () => {
    await readLook()
    const newest = await readVersion(db)
    if (newest === version) return
    const stored = await readStored(db, vault)
    try {
      current = withStored(stored)
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error
      log.error({ err: error }, 'The settings of the desk are invalid and not used.')
    }
    const isFirst = version === undefined
    version = newest
    if (!isFirst) for (const listener of listeners) await listener()
  }
  // One after another, so that an older reading never comes last.
  let last = Promise.resolve()
  const refresh = () => {
    last = last.catch(() => undefined).then(read)
    return last
  }
  await noteServer(db, byServer)
  await refresh()
  const failed = (error: unknown) => log.warn({ err: error }, 'The settings could not be read.')
  const timer = setInterval(() => void refresh().catch(failed), pollMs)
  return {
    env: new Proxy(current, { get: (_, name) => Reflect.get(current, name) }),
    byServer,
    brand,
    with: withStored,
    refresh,
    onChange: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  }
}

/** The configuration with what was entered at the desk, for a command. */
export const storedEnv = async (
  source: Source,
  { db, vault }: { readonly db: Database; readonly vault: Vault },
): Promise<Env> => readEnv(source, await readStored(db, vault))

/** Settings that follow nothing: those of a command or a test. */
export const fixedSettings = (env: Env, source: Source = {}): Settings => ({
  env,
  byServer: setByServer(source),
  brand: () => plainBrand,
  with: (stored) => ({ ...readEnv(source, stored), tokenSecret: env.tokenSecret }),
  refresh: async () => undefined,
})
