import { transact } from '#platform/db/transact.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Query } from '#platform/jsonapi/read/query.ts'
import { type Reading, readOne } from '#platform/jsonapi/read/read.ts'
import type { Call, Engine } from './engine.ts'

type Wish = { readonly reading: Reading; readonly id: string; readonly query: Query }

/** Reads a row by its id, and notes that it was opened once it is clear that the reader sees it; a view writes nothing. */
export async function readOpened({ pool, clock }: Engine, model: Model, { reading, id, query }: Wish) {
  const document = await readOne(reading, model, id, query)
  const { opened } = model.binding
  if (opened && !reading.actor.view)
    await transact(pool.kysely, 'read write', (tx) =>
      opened({ tx, actor: reading.actor, now: clock.now() }, Number(id)),
    )
  return document
}

/** Counts a reading action before it runs, also when it fails or is refused afterwards. */
export async function countAsked({ pool, clock }: Engine, model: Model, name: string, { actor }: Call) {
  const counted = model.binding.counted?.[name]
  if (counted) await transact(pool.kysely, 'read write', (tx) => counted({ tx, actor, now: clock.now() }))
}

/** Notes the rows of a type that a list answers, where somebody counts them; a view writes nothing. */
export async function noteListed({ pool, clock }: Engine, model: Model, { actor }: Call, rows: number) {
  const { listed } = model.binding
  if (listed && rows > 0 && !actor.view && actor.staff?.role === listed.to)
    await transact(pool.kysely, 'read write', (tx) => listed.note({ tx, actor, now: clock.now() }, rows))
}
