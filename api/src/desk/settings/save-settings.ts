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
import type { Context, OutsideContext } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { readStored, storeSetting } from '#platform/settings/stored.ts'
import { assertHosts, assertStripeKey, assertTogether, assertValues } from './assert-settings.ts'
import {
  mailBeforeReplacement,
  notifyOfReplacement,
  type Replacement,
  readReplacement,
} from './notify-replacement.ts'

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

type Changes = ReturnType<typeof changesIn>
type ChangesOf = (stored: Stored) => Changes

/** What is to be changed, after all values were checked together, and which of those in use. Throws like `assertTogether`. */
async function prepare({ tx, vault }: Context, settings: Settings, changesOf: ChangesOf) {
  await hold(tx)
  const stored = await readStored(tx, vault)
  const { set, removed } = changesOf(stored)
  assertTogether({ ...without(stored, removed), ...set }, settings)
  const changed = settingKeys.filter((key) => set[key] !== undefined || removed.includes(key))
  const replaced = changed.filter(
    (key) => stored[key] !== undefined && stored[key] !== set[key] && settings.byServer[key] === undefined,
  )
  return { set, changed, replaced }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

async function store(
  context: Context,
  { set, changed }: Prepared,
  replacement: Replacement,
): Promise<SettingKey[]> {
  const { tx, vault } = context
  for (const key of changed) await storeSetting({ tx, vault }, key, set[key] ?? null)
  await notifyOfReplacement(context, replacement)
  return changed
}

/**
 * Changes settings. Where one in use is replaced or removed the administrators are written to first, by the present mail server:
 * one person alone, or a thief with their session, could otherwise take all mail and payments unseen.
 */
async function change(outsideContext: OutsideContext, changesOf: ChangesOf): Promise<SettingKey[]> {
  const { settings } = outsideContext.ports
  const begun = await outsideContext.within(async (context) => {
    const prepared = await prepare(context, settings, changesOf)
    const replacement = await readReplacement(context, prepared.replaced)
    const isWritten = prepared.replaced.length > 0 && settings.env.smtpUrl !== undefined
    return isWritten ? replacement : store(context, prepared, replacement)
  })
  if (Array.isArray(begun)) return begun
  const replacement = await mailBeforeReplacement(outsideContext, begun)
  return outsideContext.within(async (context) =>
    store(context, await prepare(context, settings, changesOf), replacement),
  )
}

/**
 * The action of administrators that sets values. Throws `recent_sign_in_required`, and a refusal for each value that cannot be
 * used.
 */
export async function save(outsideContext: OutsideContext, { input }: { readonly input: Given }) {
  assertRecentSignIn(outsideContext)
  const { settings } = outsideContext.ports
  const changes = changesIn(input)
  assertValues(changes.set, settings)
  await assertHosts(changes.set, settings.env)
  await assertStripeKey(changes.set, settings.env)
  const saved = await change(outsideContext, () => changes)
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
  const cleared = await change(outsideContext, (stored) => ({
    set: {},
    removed: settingGroups[group].filter((key) => stored[key] !== undefined),
  }))
  await settings.refresh()
  return { cleared }
}
