import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertReached } from '#platform/jsonapi/declare/key-reach.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Engine } from './engine.ts'

/**
 * The actor of a request for a type. Types of staff are an address without a route for everyone else; only a token that
 * is no longer valid gets the 401 by which a browser renews it.
 */
export async function actorOf(
  { authenticate }: Pick<Engine, 'authenticate'>,
  model: Model,
  request: FastifyRequest,
): Promise<Actor> {
  const { ofStaff } = model.binding
  const hidden = () => refuse('address_not_found', { path: model.path })
  if (ofStaff && request.headers.authorization === undefined) throw hidden()
  const actor = await authenticate(request)
  if (ofStaff && !actor.staff) throw hidden()
  assertReached(model, actor)
  return actor
}

/** The options of a route with a large body, which is received only from those whose requests the type answers. */
export const largeBody = (engine: Engine, model: Model, bodyLimit: number) => ({
  bodyLimit,
  config: { slowBody: true, views: false },
  onRequest: async (request: FastifyRequest) => {
    await actorOf(engine, model, request)
  },
})
