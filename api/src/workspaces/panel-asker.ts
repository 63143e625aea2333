import type { EngineActor } from '@portico/contract/engine/wire.ts'
import type { Actor } from '#platform/context.ts'
import { staffSubjectOf, subjectOf } from '#workspaces/engines/subjects.ts'

/** The actor of a request for a panel, as sent to its engine. */
export function asker(
  actor: Actor | undefined,
  { client_id }: { readonly client_id: number },
): EngineActor | undefined {
  if (actor === undefined) return undefined
  if (actor.staff) return { subject: staffSubjectOf(actor.staff.id), kind: 'staff' }
  const subject = subjectOf(actor.id)
  if (actor.kind === 'key') return { subject, kind: 'key' }
  return { subject, kind: actor.id === client_id ? 'owner' : 'guest' }
}
