import {
  type SettingKey,
  secretSettings,
  settingKeys,
} from '@portico/contract/resources/operator-settings.ts'
import { sql } from 'kysely'
import type { Stored } from '#config/stored-settings.ts'
import type { Database } from '#platform/db/pool.ts'
import { unsealOrUndefined, type Vault } from '#platform/vault.ts'

const isSecret = (key: SettingKey): boolean => secretSettings.includes(key)

/** The settings that were entered at the desk. A value that was sealed with a lost secret counts as not entered. */
export async function readStored(db: Database, vault: Vault): Promise<Stored> {
  const rows = await db.selectFrom('operator_settings').select(['key', 'value', 'sealed']).execute()
  const texts = rows.map(({ key, value, sealed }) => [
    key,
    sealed === null ? value : (unsealOrUndefined(vault, sealed) ?? null),
  ])
  // Keys of another version are left out.
  return Object.fromEntries(
    texts.filter(([key, text]) => text !== null && settingKeys.some((one) => one === key)),
  )
}

/** Grows with every change of a setting. */
export async function readVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(sum(version), 0)::int as version from operator_settings`.execute(db)
  return rows[0]?.version ?? 0
}

/** Stores one setting; null removes it. */
export async function storeSetting(
  { tx, vault }: { readonly tx: Database; readonly vault: Vault },
  key: SettingKey,
  text: string | null,
): Promise<void> {
  await tx
    .updateTable('operator_settings')
    .set((eb) => ({
      value: isSecret(key) ? null : text,
      sealed: isSecret(key) && text !== null ? vault.seal(text) : null,
      version: eb('version', '+', 1),
    }))
    .where('key', '=', key)
    .execute()
}

/** Notes what the server sets by variables, so that the desk shows it; never a secret. */
export async function noteServer(db: Database, byServer: Stored): Promise<void> {
  for (const key of settingKeys) {
    const text = byServer[key]
    const [is, shown] = [text !== undefined, isSecret(key) ? null : (text ?? null)]
    await sql`update operator_settings set by_server = ${is}, server_value = ${shown}
      where key = ${key} and (by_server, server_value) is distinct from (${is}, ${shown}::text)`.execute(db)
  }
}
