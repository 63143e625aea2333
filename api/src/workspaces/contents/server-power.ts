import { panelResourceStatus } from '@portico/contract/resources/panel-resource.ts'
import type { servers } from '@portico/contract/resources/servers.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { noteAct } from '#notifications/account-log.ts'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { refuse } from '#platform/errors/problem.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import {
  type EngineResource,
  type PowerAnswer,
  type PowerAsk,
  system,
} from '#workspaces/engines/panel-engine.ts'
import { enterable } from '#workspaces/panel-access.ts'
import { asker } from '#workspaces/panel-asker.ts'
import { requestReading } from '#workspaces/panel-requests.ts'
import { updatePanelStatuses } from '#workspaces/panel-state.ts'

type Power = typeof servers.actions.power
type Input = z.output<Power['input']>
type Answer = z.input<Power['output']>

const kinds = { start: 'server-started', stop: 'server-stopped', restart: 'server-restarted' } as const

/** Where a server is, for its engine. */
async function placeOf({ tx, see, vault }: Context, serverId: number, action: Input['action']) {
  await see('servers', serverId)
  const server = await tx
    .selectFrom('panel_resources')
    .select(['panel_id', 'external_id', 'name', 'status'])
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  const panel = await tx
    .selectFrom('panels')
    .select(columns.panels)
    .where('id', '=', server.panel_id)
    .executeTakeFirstOrThrow()
  const externalId = enterable(panel)
  const access = await engineAccess({ db: tx, vault }, { id: panel.panel_engine_id })
  if (!access) throw refuse('engine_out_of_use')
  if (!access.capabilities.power?.includes(action)) throw refuse('server_power_not_offered')
  return { server, panel, externalId, access }
}

/** Records the request, unless it was before, and returns the arguments of the engine call. */
async function prepare(context: Context, serverId: number, { action, request_id, force = false }: Input) {
  const { tx, actor, now } = context
  const { server, panel, externalId, access } = await placeOf(context, serverId, action)
  const request = { resource_id: serverId, request_id, action, asked_at: now.toISOString() }
  const made = await tx
    .insertInto('server_powers')
    .values(request)
    .onConflict((conflict) => conflict.columns(['resource_id', 'request_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id, ...before } = await tx
    .selectFrom('server_powers')
    .select(['id', 'action', 'state'])
    .where('resource_id', '=', serverId)
    .where('request_id', '=', request_id)
    .executeTakeFirstOrThrow()
  if (before.action !== action) throw refuse('server_power_reused')
  if (made)
    await noteAct(context, {
      kind: kinds[action],
      owner: panel.client_id,
      about: panel.name,
      panel: panel.id,
      details: { to: server.name },
    })
  const ask: PowerAsk = { action, force, requestId: request_id, actor: asker(actor, panel) ?? system }
  return { id, state: before.state, server, externalId, access, ask, at: now }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Stores a server as its engine answered it, unless something newer is known. */
async function store(tx: Context['tx'], { server, at }: Prepared, answered: EngineResource<'server'>) {
  const { status, spec, reasons = [] } = answered
  await tx
    .updateTable('panel_resources')
    .set({
      status,
      spec: JSON.stringify(spec),
      reasons: JSON.stringify(reasons),
      last_seen_at: at.toISOString(),
    })
    .where('panel_id', '=', server.panel_id)
    .where('kind', '=', 'server')
    .where('external_id', '=', server.external_id)
    .where('last_seen_at', '<=', at.toISOString())
    .execute()
  await updatePanelStatuses(tx, [server.panel_id])
}

const refusals = {
  suspended: () => refuse('panel_suspended'),
  busy: () => refuse('server_busy'),
} as const

const isKnown = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code)

/** Records what the engine answered. The status of what takes longer is read from the engine. */
async function finish({ tx }: Context, prepared: Prepared, answer: PowerAnswer): Promise<void> {
  if (answer.state === 'refused') await tx.deleteFrom('server_powers').where('id', '=', prepared.id).execute()
  else
    await tx.updateTable('server_powers').set({ state: answer.state }).where('id', '=', prepared.id).execute()
  if (answer.state === 'done') await store(tx, prepared, answer.server)
  else await requestReading(tx, prepared.server.panel_id)
}

/**
 * Starts, stops or restarts a server, once for each `request_id`: what was answered is not asked again, and what got no answer
 * is asked under the same id. Throws `panel_suspended`, `panel_not_ready`, `engine_out_of_use`, `server_power_not_offered`,
 * `server_power_reused`, `server_busy`, `server_power_not_possible`; `server_power_unanswered` when nobody knows.
 */
export async function powerServer(
  outside: OutsideContext,
  { row, input }: { readonly row: RowOf<'servers'>; readonly input: Input },
): Promise<Answer> {
  const serverId = Number(row.id)
  const prepared = await outside.within((context) => prepare(context, serverId, input))
  const { server, state, ask } = prepared
  const shown = (status: string) => z.parse(panelResourceStatus, status)
  if (state === 'done' || state === 'waiting') return { state, status: shown(server.status) }
  const engine = outside.ports.engines.open(prepared.access)
  if (!engine.powerServer) throw refuse('server_power_not_offered')
  const answer = await engine
    .powerServer(prepared.externalId, server.external_id, ask)
    .catch(async (cause: unknown) => {
      // The engine knows the outcome.
      await outside.within(({ tx }) => requestReading(tx, server.panel_id))
      throw refuse('server_power_unanswered', {}, { cause })
    })
  await outside.within((context) => finish(context, prepared, answer))
  if (answer.state === 'refused')
    throw isKnown(answer.code) ? refusals[answer.code]() : refuse('server_power_not_possible')
  return {
    state: answer.state,
    status: answer.state === 'done' ? answer.server.status : shown(server.status),
  }
}

/** How long a request is remembered: as long as engines remember theirs. */
const rememberMs = 30 * 86_400_000

/** Forgets requests that are not repeated any more. */
export const forgetPowers = (db: Context['tx'], now: Date) =>
  sql`delete from server_powers where asked_at < ${new Date(now.getTime() - rememberMs).toISOString()}`.execute(
    db,
  )
