import type { ServedRow } from '#platform/db/pool.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'

/** A loaded row with its requested relationships. */
export type Entry = {
  readonly model: Model
  readonly id: number | string
  readonly row: ServedRow
  linkage: Map<string, Entry | null | Entry[]> | undefined
}

/** Every row of one answer, without duplicates: JSON:API allows a resource only once per document. */
export class Store {
  readonly #entries = new Map<Model, Map<number | string, Entry>>()

  add(model: Model, row: ServedRow): Entry {
    let ofType = this.#entries.get(model)
    if (!ofType) {
      ofType = new Map()
      this.#entries.set(model, ofType)
    }
    const known = ofType.get(row.id)
    if (known) return known
    const entry: Entry = { model, id: row.id, row, linkage: undefined }
    ofType.set(row.id, entry)
    return entry
  }

  get(model: Model, id: number | string): Entry | undefined {
    return this.#entries.get(model)?.get(id)
  }

  /** How many rows there are of each type. */
  *counts(): Iterable<readonly [Model, number]> {
    for (const [model, ofType] of this.#entries) yield [model, ofType.size]
  }

  /** All but the given entries, in loading order. */
  *except(primary: ReadonlySet<Entry>): Iterable<Entry> {
    for (const ofType of this.#entries.values()) {
      for (const entry of ofType.values()) if (!primary.has(entry)) yield entry
    }
  }
}

export function link(entry: Entry, name: string, to: Entry | null | Entry[]): void {
  entry.linkage ??= new Map()
  entry.linkage.set(name, to)
}
