import { engineCapabilities } from '@portico/contract/engine/wire.ts'
import * as z from 'zod/mini'
import type { Database } from '#platform/db/pool.ts'
import { unsealOrUndefined, type Vault } from '#platform/vault.ts'
import type { EngineAccess } from './panel-engine.ts'

const engineKind = z.enum(['simulated', 'http'])

type Keys = { readonly db: Database; readonly vault: Vault }

/** The active secrets of an engine, newest first, without those that cannot be unsealed. */
async function secretsOf({ db, vault }: Keys, engineId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('panel_engine_secrets')
    .select('sealed')
    .where('panel_engine_id', '=', engineId)
    .orderBy('created_at', 'desc')
    .orderBy('slot')
    .execute()
  return rows.flatMap(({ sealed }) => unsealOrUndefined(vault, sealed) ?? [])
}

/** The address and secrets of an engine, by its id or its code; undefined when it is disabled or missing. */
export async function engineAccess(
  keys: Keys,
  by: { readonly id: number } | { readonly code: string },
): Promise<EngineAccess | undefined> {
  const row = await keys.db
    .selectFrom('panel_engines')
    .select(['id', 'code', 'kind', 'base_url', 'contract', 'capabilities'])
    .where(({ eb }) => ('id' in by ? eb('id', '=', by.id) : eb('code', '=', by.code)))
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      code: row.code,
      kind: z.parse(engineKind, row.kind),
      baseUrl: row.base_url,
      contract: row.contract,
      capabilities: z.parse(engineCapabilities, row.capabilities),
      secrets: await secretsOf(keys, row.id),
    }
  )
}
