import type { Actor } from '../db/context.ts'
import type { Runner } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'
import type { Model, RelationModel } from './model.ts'
import type { IncludeTree } from './query.ts'
import { relatedStatement } from './statements.ts'
import { type Entry, link, type Store } from './store.ts'

// An answer beyond this is not for one document; the related list has pages.
const mostRelated = 5000

type Step = { readonly relation: RelationModel; readonly children: IncludeTree; readonly from: Entry[] }

function idIn(entry: Entry, relation: RelationModel): number | string | null {
  // A key column holds an id or null.
  return entry.row[relation.column] as number | string | null
}

type Wanted = { readonly ids: Set<number | string>; readonly parents: Map<string, Set<number | string>> }

/** What one level needs of one type. Rows that are loaded already are not asked for again. */
function wantedOf(steps: readonly Step[], store: Store): Wanted {
  const wanted: Wanted = { ids: new Set(), parents: new Map() }
  for (const { relation, from } of steps) {
    if (relation.via === 'own') {
      for (const entry of from) {
        const id = idIn(entry, relation)
        if (id !== null && !store.get(relation.target, id)) wanted.ids.add(id)
      }
      continue
    }
    const ids = wanted.parents.get(relation.column) ?? new Set()
    for (const entry of from) ids.add(entry.id)
    wanted.parents.set(relation.column, ids)
  }
  return wanted
}

function linkChildren(step: Step, loaded: readonly Entry[]): Entry[] {
  const { relation, from } = step
  const byParent = new Map<unknown, Entry[]>()
  for (const child of loaded) {
    const key = child.row[relation.column]
    const siblings = byParent.get(key)
    if (siblings) siblings.push(child)
    else byParent.set(key, [child])
  }
  const reached: Entry[] = []
  for (const entry of from) {
    const children = byParent.get(entry.id) ?? []
    reached.push(...children)
    link(entry, relation.name, relation.kind === 'to-many' ? children : (children[0] ?? null))
  }
  return reached
}

function linkOwn(step: Step, store: Store): Entry[] {
  const reached = new Set<Entry>()
  for (const entry of step.from) {
    const id = idIn(entry, step.relation)
    const target = id === null ? undefined : store.get(step.relation.target, id)
    link(entry, step.relation.name, target ?? null)
    if (target) reached.add(target)
  }
  return [...reached]
}

async function loadType(run: Runner, store: Store, actor: Actor, model: Model, steps: readonly Step[]) {
  const { ids, parents } = wantedOf(steps, store)
  let loaded: Entry[] = []
  if (ids.size > 0 || parents.size > 0) {
    const statement = relatedStatement(model, ids.size > 0, [...parents.keys()], {
      actor,
      ids: [...ids],
      parents: Object.fromEntries([...parents].map(([column, values]) => [column, [...values]])),
      limit: mostRelated + 1,
    })
    const rows = await run.run(statement)
    if (rows.length > mostRelated)
      throw new Problem('bad_parameter', `More than ${mostRelated} related ${model.name}; read them page by page.`, {
        source: { parameter: 'include' },
      })
    loaded = rows.map((row) => store.add(model, row))
  }
  return loaded
}

function stepsFrom(tree: IncludeTree, from: Entry[]): Step[] {
  return from.length === 0 ? [] : [...tree.values()].map(({ relation, children }) => ({ relation, children, from }))
}

/**
 * Loads what a document includes, level by level: one statement for each type on a level. The type's `visible` is part of
 * it, so a hidden resource is absent from `included` and from linkage alike.
 */
export async function loadIncluded(
  run: Runner,
  store: Store,
  actor: Actor,
  tree: IncludeTree,
  primary: readonly Entry[],
): Promise<void> {
  let level = stepsFrom(tree, [...primary])
  while (level.length > 0) {
    const next: Step[] = []
    for (const [model, steps] of Map.groupBy(level, ({ relation }) => relation.target)) {
      const loaded = await loadType(run, store, actor, model, steps)
      for (const step of steps) {
        const reached = step.relation.via === 'own' ? linkOwn(step, store) : linkChildren(step, loaded)
        next.push(...stepsFrom(step.children, reached))
      }
    }
    level = next
  }
}
