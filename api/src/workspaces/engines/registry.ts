import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import { unsealOrUndefined, type Vault } from '#platform/vault.ts'
import { engineAccess } from './engine-access.ts'
import type { Health } from './panel-engine.ts'
import type { Outside } from './panel-engines.ts'

type Keys = { readonly db: Database; readonly vault: Vault }

/** A secret in the form of Standard Webhooks: 256 random bits. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

async function keepSecret({ db, vault }: Keys, engineId: number, secret: string): Promise<void> {
  const slots = await db
    .selectFrom('panel_engine_secrets')
    .select('slot')
    .where('panel_engine_id', '=', engineId)
    .orderBy('created_at', 'desc')
    .orderBy('slot')
    .execute()
  // The newest stays active next to the new one; an older active one is revoked.
  const slot = slots[0]?.slot === 1 ? 2 : 1
  const row = { sealed: vault.seal(secret), created_at: sql<string>`clock_timestamp()` }
  await db
    .insertInto('panel_engine_secrets')
    .values({ panel_engine_id: engineId, slot, ...row })
    .onConflict((conflict) => conflict.columns(['panel_engine_id', 'slot']).doUpdateSet(row))
    .execute()
}

/** Locks an engine's row until the transaction ends, so that concurrent rotations are serialized. */
async function held(db: Database, code: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('panel_engines')
    .select('id')
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  return row?.id
}

export type NewEngine = {
  readonly code: string
  readonly name: string
  readonly baseUrl: string
  /** New panels are created there. */
  readonly isDefault: boolean
}

/** Registers an engine with an HTTP address, within a transaction. Returns its first secret, which is shown once. */
export async function addEngine({ db, vault }: Keys, engine: NewEngine): Promise<string> {
  if (engine.isDefault)
    await db.updateTable('panel_engines').set({ is_default: false }).where('is_default', '=', true).execute()
  const { id } = await db
    .insertInto('panel_engines')
    .values({
      code: engine.code,
      name: engine.name,
      kind: 'http',
      base_url: engine.baseUrl,
      is_default: engine.isDefault,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return addSecret({ db, vault }, id)
}

/** Changes the name and the address of an engine. Its health is what was found at a new address. */
export async function changeEngine(
  db: Database,
  id: number,
  { name, baseUrl, found }: Pick<NewEngine, 'name' | 'baseUrl'> & { readonly found: Found | undefined },
): Promise<void> {
  await db.updateTable('panel_engines').set({ name, base_url: baseUrl }).where('id', '=', id).execute()
  if (found) await noteHealth(db, id, found)
}

/** Registers an engine in a transaction of its own. */
export const registerEngine = ({ db, vault }: Keys, engine: NewEngine): Promise<string> =>
  db.transaction().execute((tx) => addEngine({ db: tx, vault }, engine))

/** Adds a secret, next to the newest one. Returns it; it is shown once. Its engine's row is locked. */
export async function addSecret({ db, vault }: Keys, engineId: number): Promise<string> {
  const secret = newSecret()
  await keepSecret({ db, vault }, engineId, secret)
  return secret
}

/** Adds a second secret next to the current one, and returns it; undefined when the engine is missing. */
export async function rotateSecret({ db, vault }: Keys, code: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const id = await held(tx, code)
    return id === undefined ? undefined : addSecret({ db: tx, vault }, id)
  })
}

/** Revokes all secrets of an engine but the newest; returns the number of revoked ones. */
export async function retireSecrets(db: Database, code: string): Promise<number> {
  const ended = await sql`delete from panel_engine_secrets s using panel_engines e
    where e.id = s.panel_engine_id and e.code = ${code} and s.created_at < (
      select max(created_at) from panel_engine_secrets where panel_engine_id = e.id)`.execute(db)
  return Number(ended.numAffectedRows ?? 0)
}

/** Disables or re-enables calls to and from an engine; false when it is missing. */
export async function setDisabled(db: Database, code: string, at: Date | null): Promise<boolean> {
  const changed = await db
    .updateTable('panel_engines')
    .set({ disabled_at: at?.toISOString() ?? null })
    .where('code', '=', code)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** All engines, with the numbers of active secrets and of panels. */
export async function listEngines(db: Database) {
  return db
    .selectFrom('panel_engines as e')
    .select(['e.code', 'e.name', 'e.kind', 'e.base_url', 'e.is_default', 'e.disabled_at'])
    .select(['e.health', 'e.health_detail', 'e.health_checked_at', 'e.version'])
    .select((eb) => [
      eb
        .selectFrom('panel_engine_secrets as s')
        .whereRef('s.panel_engine_id', '=', 'e.id')
        .select((inner) => inner.fn.countAll<string>().as('count'))
        .as('secrets'),
      eb
        .selectFrom('panels as p')
        .whereRef('p.panel_engine_id', '=', 'e.id')
        .where('p.deleted_at', 'is', null)
        .select((inner) => inner.fn.countAll<string>().as('count'))
        .as('panels'),
    ])
    .orderBy('e.id')
    .execute()
}

/** Creates a secret for the built-in engine that can be unsealed, as every engine has one. */
export async function ensureBuiltInSecret({ db, vault }: Keys): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const id = await held(tx, 'simulated')
    if (id === undefined) return
    const rows = await tx
      .selectFrom('panel_engine_secrets')
      .select('sealed')
      .where('panel_engine_id', '=', id)
      .execute()
    await because(tx, 'start of the portal')
    if (!rows.some(({ sealed }) => unsealOrUndefined(vault, sealed) !== undefined))
      await keepSecret({ db: tx, vault }, id, newSecret())
  })
}

/** The longest detail that is stored. */
const mostDetail = 500

type Found = ({ readonly up: true } & Health) | { readonly up: false; readonly detail: string }

/** The reported problems of an engine that answers, for staff; null when all is well. */
export function detailOf({ status, reasons = [] }: Pick<Health, 'status' | 'reasons'>): string | null {
  const said = reasons.map(({ code, since, text }) =>
    [`${code} since ${since}`, text].filter(Boolean).join(', '),
  )
  return [...(status === 'ok' ? [] : ['degraded']), ...said].join('; ').slice(0, mostDetail) || null
}

/** The dependencies of an examination; no transaction is open while the engine is called. */
type Asking = Pick<Outside, 'vault' | 'engines'> & {
  readonly within: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/** Asks an engine for its health, at another address if one is given; undefined when it is disabled. */
export async function examine(
  { within, vault, engines }: Asking,
  id: number,
  baseUrl?: string,
): Promise<Found | undefined> {
  const access = await within((db) => engineAccess({ db, vault }, { id }))
  if (!access) return undefined
  return engines
    .open({ ...access, ...(baseUrl !== undefined && { baseUrl }) })
    .health()
    .then(
      (health): Found => ({ up: true, ...health }),
      (error: unknown): Found => ({
        up: false,
        detail: (error instanceof Error ? error.message : String(error)).slice(0, mostDetail),
      }),
    )
}

async function noteHealth(db: Database, id: number, found: Found): Promise<void> {
  const said = found.up
    ? {
        health: 'up',
        health_detail: detailOf(found),
        version: found.version,
        contract: found.contract,
        capabilities: JSON.stringify(found.capabilities),
      }
    : { health: 'down', health_detail: found.detail }
  await db
    .updateTable('panel_engines')
    .set({ ...said, health_checked_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Asks an engine for its health and its capabilities, and stores them; undefined when it is disabled. */
export async function askHealth(asking: Asking, id: number): Promise<Found | undefined> {
  const found = await examine(asking, id)
  if (found) await asking.within((db) => noteHealth(db, id, found))
  return found
}

/** Queries the health and the capabilities of every engine, and stores them. */
export async function checkEngines({ pool, vault, engines }: Outside): Promise<void> {
  const db = pool.kysely
  const rows = await db.selectFrom('panel_engines').select('id').where('disabled_at', 'is', null).execute()
  await Promise.all(rows.map(({ id }) => askHealth({ within: (work) => work(db), vault, engines }, id)))
}

/** The time for which a message id is remembered, in milliseconds: twice the maximum age of a signature. */
const rememberMs = 600_000

/** Deletes remembered message ids whose signature has expired. */
export async function forgetMessages(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - rememberMs).toISOString()
  await db.deleteFrom('engine_messages').where('received_at', '<', before).execute()
}
