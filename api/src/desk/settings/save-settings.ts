import {
  type operatorSettings,
  type SettingGroup,
  type SettingKey,
  secretSettings,
  settingGroups,
  settingKeys,
} from '@portico/contract/resources/operator-settings.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Stored } from '#config/stored-settings.ts'
import type { OutsideContext } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { readStored, storeSetting } from '#platform/settings/stored.ts'
import { assertHosts, assertStripeKey, assertTogether, assertValues } from './assert-settings.ts'

type Given = z.output<(typeof operatorSettings.actions)['save']['input']>

/** The requested changes: new values, and settings to remove. A secret is never shown, so its empty field says nothing. */
function changesIn(input: Given) {
  const set: Stored = {}
  const removed: SettingKey[] = []
  for (const key of settingKeys) {
    const text = input[key.toLowerCase() as Lowercase<SettingKey>] // A field for each key.
    if (text) set[key] = text
    else if (text === '' && !secretSettings.includes(key)) removed.push(key)
  }
  return { set, removed }
}

const without = (stored: Stored, keys: readonly SettingKey[]): Stored =>
  Object.fromEntries(Object.entries(stored).filter(([key]) => !keys.some((one) => one === key)))

/** Of two who save at once the later sees what the earlier stored. */
const hold = (tx: Database) => sql`select from operator_settings order by id for update`.execute(tx)

/**
 * The action of administrators that sets values. Throws `recent_sign_in_required`, and a refusal for each value that cannot be
 * used.
 */
export async function save(outsideContext: OutsideContext, { input }: { readonly input: Given }) {
  assertRecentSignIn(outsideContext)
  const { settings } = outsideContext.ports
  const { set, removed } = changesIn(input)
  assertValues(set, settings)
  await assertHosts(set, settings.env)
  await assertStripeKey(set, settings.env)
  const saved = settingKeys.filter((key) => set[key] !== undefined || removed.includes(key))
  await outsideContext.within(async ({ tx, vault }) => {
    await hold(tx)
    assertTogether({ ...without(await readStored(tx, vault), removed), ...set }, settings)
    for (const key of saved) await storeSetting({ tx, vault }, key, set[key] ?? null)
  })
  await settings.refresh()
  return { saved }
}

/** The action of administrators that removes the values of a group. Throws `recent_sign_in_required`, `setting_needed_too`. */
export async function clear(
  outsideContext: OutsideContext,
  { input: { group } }: { readonly input: { readonly group: SettingGroup } },
) {
  assertRecentSignIn(outsideContext)
  const { settings } = outsideContext.ports
  const cleared = await outsideContext.within(async ({ tx, vault }) => {
    await hold(tx)
    const stored = await readStored(tx, vault)
    const keys = settingGroups[group].filter((key) => stored[key] !== undefined)
    assertTogether(without(stored, keys), settings)
    for (const key of keys) await storeSetting({ tx, vault }, key, null)
    return keys
  })
  await settings.refresh()
  return { cleared: [...cleared] }
}
