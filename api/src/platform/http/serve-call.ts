import type { Call } from '@portico/contract/calls/call.ts'
import type { Schema } from '@portico/contract/jsonapi.ts'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Problems, refuseValue } from '#platform/errors/problem.ts'

type InputParts = Record<string, unknown>

/**
 * The input as sent: path parameters, and the query or the body. A path parameter may not be repeated in
 * them.
 */
function inputParts({ params, query, body }: FastifyRequest, inQuery: boolean): unknown {
  const rest = (inQuery ? query : body) ?? {}
  const parts = (params ?? {}) as InputParts // The router's parts of the path, by their names.
  if (typeof rest !== 'object' || Array.isArray(rest) || Object.keys(parts).length === 0) return rest
  return { ...rest, ...parts }
}

/**
 * Parses the input of a call by its contract; reports every fault with its parameter or its place in the
 * body.
 */
function inputOf<I extends Schema>(call: Call<I>, request: FastifyRequest): z.output<I> {
  const inQuery = call.method === 'GET' || call.method === 'DELETE'
  const checked = z.safeParse(call.input, inputParts(request, inQuery))
  if (checked.success) return checked.data
  throw new Problems(
    checked.error.issues.map(({ path, message }) =>
      inQuery
        ? refuseValue(message, { status: 400, source: { parameter: path.map(String).join('.') } })
        : refuseValue(message, {
            source: { pointer: path.map((part) => `/${String(part)}`).join('') },
          }),
    ),
  )
}

/** Serves a call of the contract: validates the input, runs the handler and answers its output. */
export function serveCall<I extends Schema, O extends Schema>(
  scope: FastifyInstance,
  call: Call<I, O>,
  verb: (input: z.output<I>, request: FastifyRequest, reply: FastifyReply) => Promise<z.input<O>>,
  config: FastifyContextConfig = {},
): void {
  scope.route({
    method: call.method,
    url: call.path,
    // These GETs consume their input (one-time codes); a HEAD, which link scanners send, must not.
    exposeHeadRoute: false,
    config,
    handler: async (request, reply) => verb(inputOf(call, request), request, reply),
  })
}
