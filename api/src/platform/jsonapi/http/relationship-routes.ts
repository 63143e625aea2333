import { base } from '@portico/contract/wire.ts'
import type { Context } from '#platform/context.ts'
import { runnerOf, type ServedRow } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Model, parseId, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import { isClosedToViews } from '#platform/jsonapi/declare/view-reach.ts'
import { readLinkage, readRelated } from '#platform/jsonapi/read/read.ts'
import { parseLinkage, type Reference } from '#platform/jsonapi/write/document.ts'
import { addMembers, removeMembers, replaceMembers } from '#platform/jsonapi/write/members.ts'
import { assertMay, lockRow } from '#platform/jsonapi/write/rows.ts'
import { logStaffAction } from '#platform/jsonapi/write/staff-action.ts'
import { update } from '#platform/jsonapi/write/write.ts'
import { working } from '#platform/jsonapi/write/write-context.ts'
import type { Call, Engine } from './engine.ts'
import { assertDocument } from './media.ts'
import { bodyOf, checkedQuery, idOf, offer, readingOf, selfOf } from './routes.ts'

type Change = (context: Context, row: ServedRow, linkage: Reference | null | Reference[]) => Promise<void>

function assertWritable(model: Model, relation: RelationModel): void {
  if (!model.contract.update.includes(relation.name))
    throw refuse('relationship_not_offered', { type: model.name, name: relation.name })
}

/**
 * Writes a relationship: checks visibility and permission of the parent, applies the change, and answers the
 * new linkage.
 */
async function change(
  engine: Engine,
  model: Model,
  relation: RelationModel,
  call: Call,
  apply: Change,
): Promise<Buffer> {
  assertWritable(model, relation)
  assertDocument(call.request.headers['content-type'])
  const query = checkedQuery(engine, relation.target, call.request, 'none')
  const id = idOf(call.request)
  return working(engine, model, call, 'read write', async (context) => {
    const row = await lockRow(context, model, parseId(model, id))
    assertMay(model, 'update', context, row)
    await logStaffAction(context, model, call)
    await apply(context, row, parseLinkage(relation, bodyOf(call.request)))
    const reading = { run: runnerOf(context.tx), actor: context.actor, self: selfOf(call.request) }
    return readLinkage(reading, model, id, relation, query)
  })
}

function list(linkage: Reference | null | Reference[]): Reference[] {
  if (Array.isArray(linkage)) return linkage
  return linkage ? [linkage] : []
}

async function replaceOne(
  context: Context,
  model: Model,
  relation: RelationModel,
  row: ServedRow,
  to: Reference | null,
) {
  const changes = { attributes: new Map(), toOne: new Map([[relation.name, to]]), toMany: new Map() }
  await update(context, model, row, changes)
}

function handlers(engine: Engine, model: Model, relation: RelationModel) {
  const by = (apply: Change) => (call: Call) => change(engine, model, relation, call, apply)
  if (relation.kind === 'to-one')
    return {
      PATCH: by((context, row, to) =>
        replaceOne(context, model, relation, row, Array.isArray(to) ? null : to),
      ),
    }
  return {
    POST: by((context, row, added) => addMembers(context, relation, row, list(added))),
    PATCH: by((context, row, all) => replaceMembers(context, relation, row, list(all))),
    DELETE: by((context, row, gone) => removeMembers(context, relation, row, list(gone))),
  }
}

/** /{type}/{id}/{relationship} and /{type}/{id}/relationships/{relationship}. */
export function relationshipRoutes(engine: Engine, model: Model, relation: RelationModel): void {
  const url = `${model.path.slice(base.length)}/:id`
  const many = relation.kind === 'to-many'
  const isShown = !isClosedToViews(model) && !isClosedToViews(relation.target)
  const related = (call: Call) => {
    const query = checkedQuery(engine, relation.target, call.request, many ? 'list' : 'one')
    return readRelated(readingOf(engine, call), model, idOf(call.request), relation, query)
  }
  const linkage = (call: Call) => {
    const query = checkedQuery(engine, relation.target, call.request, many ? 'linkage' : 'none')
    return readLinkage(readingOf(engine, call), model, idOf(call.request), relation, query)
  }
  offer(engine, model, `${url}/${relation.name}`, { GET: related }, {}, isShown)
  const writes = handlers(engine, model, relation)
  offer(engine, model, `${url}/relationships/${relation.name}`, { GET: linkage, ...writes }, {}, isShown)
}
