import type { AuditPage } from '@portico/contract/engine/readings.ts'
import type { series as seriesAction } from '@portico/contract/resources/panel-resource.ts'
import type { panels } from '@portico/contract/resources/panels.ts'
import type * as z from 'zod/mini'
import type { Actor, Context, OutsideContext, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { subjectOf } from '#workspaces/engines/subjects.ts'

// Readings that an engine gives while a person looks. None is stored.

type Series = z.input<(typeof seriesAction)['output']>
type Audit = typeof panels.actions.audit
type AuditAnswer = z.input<Audit['output']>
type Entry = AuditAnswer['items'][number]

/** Where a panel is. Throws `panel_not_ready`, `engine_out_of_use`, `engine_without_readings`. */
async function placeOf({ tx, vault }: Context, panelId: number, word: 'series' | 'audit') {
  const { external_id, panel_engine_id } = await tx
    .selectFrom('panels')
    .select(['external_id', 'panel_engine_id'])
    .where('id', '=', panelId)
    .executeTakeFirstOrThrow()
  if (external_id === null) throw refuse('panel_not_ready')
  const access = await engineAccess({ db: tx, vault }, { id: panel_engine_id })
  if (!access) throw refuse('engine_out_of_use')
  if (access.capabilities[word] !== true) throw refuse('engine_without_readings')
  return { externalId: external_id, access }
}

const unavailable = (cause: unknown): never => {
  throw refuse('engine_unavailable', {}, { cause })
}

/** Reads the last day of a server or cluster. Throws as `placeOf`, and `engine_unavailable`. */
export const readSeries =
  (kind: 'server' | 'cluster') =>
  async (
    outside: OutsideContext,
    { row }: { readonly row: RowOf<'servers'> | RowOf<'clusters'> },
  ): Promise<Series> => {
    const { externalId, access, id } = await outside.within(async (context) => {
      const one = await context.tx
        .selectFrom('panel_resources')
        .select(['panel_id', 'external_id'])
        .where('id', '=', Number(row.id))
        .executeTakeFirstOrThrow()
      return { ...(await placeOf(context, one.panel_id, 'series')), id: one.external_id }
    })
    const engine = outside.ports.engines.open(access)
    const said = await engine.readSeries?.(externalId, { kind, id }).catch(unavailable)
    if (!said) throw refuse('engine_without_readings')
    return said
  }

type Said = AuditPage['items'][number]

/** The author of an event, as far as the reader may know. */
function authorOf({ actor: { subject, kind }, label }: Said, reader: Actor, isOwner: boolean): Entry['by'] {
  if (kind === 'system') return { kind, name: null }
  if (kind === 'staff') return { kind: 'support', name: null }
  if (kind === 'key') return { kind, name: isOwner ? label : null }
  if (subject === subjectOf(reader.id)) return { kind: 'you', name: null }
  return { kind, name: isOwner || kind === 'owner' ? label : null }
}

/** Reads what people did in a panel. Throws as `placeOf`, and `engine_unavailable`. */
export async function readAudit(
  outside: OutsideContext,
  { row, input }: { readonly row: RowOf<'panels'>; readonly input: z.output<Audit['input']> },
): Promise<AuditAnswer> {
  const { externalId, access } = await outside.within((context) => placeOf(context, row.id, 'audit'))
  const said = await outside.ports.engines
    .open(access)
    .readAudit?.(externalId, input.cursor)
    .catch(unavailable)
  if (!said) throw refuse('engine_without_readings')
  const { actor } = outside
  const isOwner = actor.id === row.client_id
  const grant = actor.grants.find(({ owner }) => owner === row.client_id)
  // A target may name a domain that the guest does not see.
  const seesTargets = isOwner || grant?.domain_access === 'all'
  return {
    items: said.items.map((one) => ({
      id: one.id,
      at: one.at,
      by: authorOf(one, actor, isOwner),
      action: one.action,
      target: seesTargets ? one.target : null,
      ip: isOwner ? one.ip : null,
    })),
    next: said.next,
  }
}
