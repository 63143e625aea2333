import { hourMs } from '@portico/contract/time.ts'
import type { Clock } from '#platform/clock.ts'
import type { Actor } from '#platform/context.ts'
import type { Pool, ServedRow } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { seenRow } from '#platform/jsonapi/read/read.ts'

type Parts = { readonly pool: Pool; readonly clock: Clock }

/** How long a file can be downloaded. */
export const exportKeptMs = hourMs

/** An export that the actor asked for. Throws `not_found`, `export_of_others`. */
export async function ownExport({ pool }: Parts, model: Model, actor: Actor, id: string): Promise<ServedRow> {
  const found = await seenRow({ run: pool, actor, self: '' }, model, id)
  if (found.admin_id !== actor.staff?.id) throw refuse('export_of_others')
  return found
}

/** Throws `export_ended` for a file that began more than an hour ago. */
export function assertLasting({ clock }: Parts, from: string): void {
  if (Date.parse(from) + exportKeptMs < clock.now().getTime()) throw refuse('export_ended')
}
