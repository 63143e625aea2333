import type { deskEngines } from '@portico/contract/resources/desk-engines.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import { allowedHosts } from '#platform/egress.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { takeAgain } from '#usage/take-again.ts'
import { engineCode, engineUrl } from '#workspaces/engines/engine-url.ts'
import {
  addEngine,
  addSecret,
  askHealth,
  changeEngine,
  detailOf,
  examine,
  retireSecrets,
  setDisabled,
} from '#workspaces/engines/registry.ts'

type On = { readonly row: RowOf<'panel_engines'> }
type New = z.output<(typeof deskEngines.actions)['add']['input']>
type Edited = z.output<(typeof deskEngines.actions)['edit']['input']>

const at = (field: string) => ({ source: { pointer: `/data/${field}` } })

/** The checked address. Throws `engine_url_invalid`, `engine_not_https`. */
function urlOf({ ports: { settings } }: OutsideContext, text: string): string {
  const checked = engineUrl(text, allowedHosts(settings.env.engineAllowedHosts))
  if ('url' in checked) return checked.url
  if (checked.fault === 'invalid') throw refuse('engine_url_invalid', {}, at('url'))
  throw refuse('engine_not_https', { host: checked.host }, at('url'))
}

/**
 * The action of administrators that registers an engine: returns its secret. Throws `recent_sign_in_required`,
 * `engine_url_invalid`, `engine_not_https`, `engine_name_taken`.
 */
export async function add(outsideContext: OutsideContext, { input }: { readonly input: New }) {
  assertRecentSignIn(outsideContext)
  const baseUrl = urlOf(outsideContext, input.url)
  const code = engineCode(input.name)
  if (code === '') throw refuse('engine_name_taken', {}, at('name'))
  return outsideContext.within(async ({ tx, vault }) => {
    const known = await tx
      .selectFrom('panel_engines')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirst()
    if (known) throw refuse('engine_name_taken', {}, at('name'))
    const engine = { code, name: input.name, baseUrl, isDefault: input.is_default }
    return { code, secret: await addEngine({ db: tx, vault }, engine) }
  })
}

/** Throws `engine_name_taken`: another engine has the name, or a code that a new engine of the name would get. */
async function assertNameFree({ tx }: Context, name: string, id: number): Promise<void> {
  const code = engineCode(name)
  const known = await tx
    .selectFrom('panel_engines')
    .select('id')
    .where('id', '<>', id)
    .where(({ or, eb }) => or([eb('code', '=', code), eb(sql`lower(name)`, '=', name.toLowerCase())]))
    .executeTakeFirst()
  if (known || code === '') throw refuse('engine_name_taken', {}, at('name'))
}

/**
 * The action of administrators that changes an engine's name and address. A new address has to answer, so that a slip
 * does not cut the panels off. Throws `recent_sign_in_required`, `engine_built_in`, `engine_url_invalid`,
 * `engine_not_https`, `engine_name_taken`, `engine_unreachable`.
 */
export async function edit(outsideContext: OutsideContext, { row, input }: On & { readonly input: Edited }) {
  assertRecentSignIn(outsideContext)
  if (row.base_url === null) throw refuse('engine_built_in')
  const baseUrl = urlOf(outsideContext, input.url)
  const { within, vault, ports } = outsideContext
  const asking = {
    within: <T>(work: (db: Context['tx']) => Promise<T>) => within(({ tx }) => work(tx)),
    vault,
    engines: ports.engines,
  }
  const found = baseUrl === row.base_url ? undefined : await examine(asking, row.id, baseUrl)
  if (found?.up === false) throw refuse('engine_unreachable', {}, at('url'))
  await within(async (context) => {
    await assertNameFree(context, input.name, row.id)
    await changeEngine(context.tx, row.id, { name: input.name, baseUrl, found })
  })
  return { code: row.code }
}

/** The action that asks an engine for its health at once. Throws `engine_disabled`. */
export async function probe({ within, vault, ports: { engines } }: OutsideContext, { row }: On) {
  const found = await askHealth({ within: (work) => within(({ tx }) => work(tx)), vault, engines }, row.id)
  if (found === undefined) throw refuse('engine_disabled')
  return found.up
    ? { state: 'up' as const, detail: detailOf(found) } // One of the two states.
    : { state: 'down' as const, detail: found.detail } // The other.
}

/** The action of administrators that adds a second secret. Throws `recent_sign_in_required`. */
export async function rotate(context: Context, { row }: On) {
  assertRecentSignIn(context)
  return { code: row.code, secret: await addSecret({ db: context.tx, vault: context.vault }, row.id) }
}

/** The action of administrators that ends all secrets but the newest. Throws `recent_sign_in_required`. */
export async function finish(context: Context, { row }: On) {
  assertRecentSignIn(context)
  return { ended: await retireSecrets(context.tx, row.code) }
}

/** The action of administrators that has new panels created in an engine. Throws `recent_sign_in_required`, `engine_disabled`. */
export async function makeDefault(context: Context, { row }: On) {
  assertRecentSignIn(context)
  if (row.disabled_at !== null) throw refuse('engine_disabled')
  const { tx } = context
  await tx.updateTable('panel_engines').set({ is_default: false }).where('is_default', '=', true).execute()
  await tx.updateTable('panel_engines').set({ is_default: true }).where('id', '=', row.id).execute()
  return { code: row.code }
}

const turn = (isOff: boolean) =>
  async function turned(context: Context, { row }: On) {
    assertRecentSignIn(context)
    await setDisabled(context.tx, row.code, isOff ? context.now : null)
    return { code: row.code }
  }

/** The actions of administrators that stop and resume requests to an engine. Throw `recent_sign_in_required`. */
export const disable = turn(true)
export const enable = turn(false)

/**
 * The action of administrators that takes rejected usage whose cause is gone. Throws `recent_sign_in_required`,
 * `engine_disabled`, `usage_none_takeable`.
 */
export async function takeRejected(context: Context, { row }: On) {
  assertRecentSignIn(context)
  if (row.disabled_at !== null) throw refuse('engine_disabled')
  const { taken, before } = await takeAgain(context.tx, row.id)
  if (taken + before === 0) throw refuse('usage_none_takeable')
  return { taken, before }
}
