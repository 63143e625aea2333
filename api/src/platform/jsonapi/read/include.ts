import type { Actor } from '#platform/context.ts'
import type { Runner, ServedRow } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { isWhole } from '#platform/jsonapi/declare/may.ts'
import type { Model, RelationModel } from '#platform/jsonapi/declare/model.ts'
import type { IncludeTree } from './query.ts'
import { relatedStatement } from './statements.ts'
import { type Entry, link, type Store } from './store.ts'

// A larger answer does not fit one document; the related list has pages. Types with long rows set a smaller
// limit.
const mostRelated = 5000

type Step = { readonly relation: RelationModel; readonly children: IncludeTree; readonly from: Entry[] }

function idIn(entry: Entry, relation: RelationModel): number | string | null {
  // A key column holds an id or null.
  return entry.row[relation.column] as number | string | null
}

/**
 * The loaded children of the requested parents, by foreign key column; a parent without children has an empty
 * list.
 */
type Families = Map<Model, Map<string, Map<number | string, Entry[]>>>

type Loading = {
  readonly run: Runner
  readonly store: Store
  readonly actor: Actor
  readonly families: Families
}

function familiesOf({ families }: Loading, { target, column }: RelationModel): Map<number | string, Entry[]> {
  const columns = families.get(target) ?? new Map()
  families.set(target, columns)
  const known = columns.get(column) ?? new Map()
  columns.set(column, known)
  return known
}

type Wanted = { readonly ids: Set<number | string>; readonly parents: Map<string, Set<number | string>> }

function missingTargets({ store }: Loading, { relation, from }: Step): (number | string)[] {
  const ids = from.map((entry) => idIn(entry, relation))
  return ids.filter((id) => id !== null).filter((id) => !store.get(relation.target, id))
}

function missingParents(loading: Loading, { relation, from }: Step): (number | string)[] {
  const known = familiesOf(loading, relation)
  return from.map(({ id }) => id).filter((id) => !known.has(id))
}

/** The ids and parents that the steps still need; loaded rows are not read again. */
function wantedOf(loading: Loading, steps: readonly Step[]): Wanted {
  const wanted: Wanted = { ids: new Set(), parents: new Map() }
  for (const step of steps) {
    if (step.relation.via === 'own') {
      for (const id of missingTargets(loading, step)) wanted.ids.add(id)
      continue
    }
    const missing = missingParents(loading, step)
    const { column } = step.relation
    if (missing.length > 0)
      wanted.parents.set(column, new Set([...(wanted.parents.get(column) ?? []), ...missing]))
  }
  return wanted
}

function linkChildren(loading: Loading, { relation, from }: Step): Entry[] {
  const known = familiesOf(loading, relation)
  const reached: Entry[] = []
  for (const entry of from) {
    const children = known.get(entry.id) ?? []
    reached.push(...children)
    link(entry, relation.name, relation.kind === 'to-many' ? children : (children[0] ?? null))
  }
  return reached
}

function linkOwn({ store }: Loading, { relation, from }: Step): Entry[] {
  const reached = new Set<Entry>()
  for (const entry of from) {
    const id = idIn(entry, relation)
    const target = id === null ? undefined : store.get(relation.target, id)
    link(entry, relation.name, target ?? null)
    if (target) reached.add(target)
  }
  return [...reached]
}

/** Assigns the loaded rows to their parents. */
function assignChildren(loading: Loading, model: Model, { parents }: Wanted, loaded: readonly Entry[]): void {
  for (const [column, ids] of parents) {
    const known = loading.families.get(model)?.get(column)
    for (const id of ids) known?.set(id, [])
    for (const entry of loaded) {
      const parent = entry.row[column] as number | string | null // A key column holds an id or null.
      if (parent !== null && ids.has(parent)) known?.get(parent)?.push(entry)
    }
  }
}

async function loadType(loading: Loading, model: Model, steps: readonly Step[]): Promise<void> {
  const wanted = wantedOf(loading, steps)
  const { ids, parents } = wanted
  if (ids.size === 0 && parents.size === 0) return
  const most = model.binding.mostIncluded ?? mostRelated
  const statement = relatedStatement(model, ids.size > 0, [...parents.keys()], {
    actor: loading.actor,
    ids: [...ids],
    parents: Object.fromEntries([...parents].map(([column, values]) => [column, [...values]])),
    limit: most + 1,
  })
  const rows = await loading.run.run<ServedRow>(statement)
  if (rows.length > most)
    throw refuse('include_too_many', { most, type: model.name }, { source: { parameter: 'include' } })
  assignChildren(
    loading,
    model,
    wanted,
    rows.map((row) => loading.store.add(model, row)),
  )
}

/**
 * The next include steps from the reached rows. Rows that are visible only in part have no relationships to
 * follow.
 */
function stepsFrom(tree: IncludeTree, reached: readonly Entry[], actor: Actor): Step[] {
  const from = reached.filter(({ model, row }) => isWhole(model, actor, row))
  return from.length === 0
    ? []
    : [...tree.values()].map(({ relation, children }) => ({ relation, children, from }))
}

function leadsTo(tree: IncludeTree, model: Model): boolean {
  for (const { relation, children } of tree.values())
    if (relation.target === model || leadsTo(children, model)) return true
  return false
}

/**
 * The steps to load next: those to one type that no other open step leads to, so that one statement loads
 * them all.
 */
function nextOf(open: readonly Step[]): { model: Model; steps: Step[] } | undefined {
  const byTarget = Map.groupBy(open, ({ relation }) => relation.target)
  const [first] = byTarget
  if (first === undefined) return undefined
  const [model, steps] =
    [...byTarget].find(([target]) => !open.some(({ children }) => leadsTo(children, target))) ?? first
  return { model, steps }
}

/**
 * Loads the included rows of a document, with one statement per type; one more each time a path returns to a
 * type. The type's read rule applies, so a hidden resource is absent from `included` and from linkage alike.
 */
export async function loadIncluded(
  run: Runner,
  store: Store,
  actor: Actor,
  tree: IncludeTree,
  primary: readonly Entry[],
): Promise<void> {
  const loading: Loading = { run, store, actor, families: new Map() }
  let open = stepsFrom(tree, primary, actor)
  for (let next = nextOf(open); next; next = nextOf(open)) {
    const { model, steps } = next
    await loadType(loading, model, steps)
    open = open.filter(({ relation }) => relation.target !== model)
    for (const step of steps) {
      const reached = step.relation.via === 'own' ? linkOwn(loading, step) : linkChildren(loading, step)
      open.push(...stepsFrom(step.children, reached, actor))
    }
  }
}
