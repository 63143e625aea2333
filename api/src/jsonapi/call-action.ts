import type { Action } from '@portico/contract/jsonapi.ts'
import * as z from 'zod/mini'
import type { Context } from '../db/context.ts'
import { mostFaults, Problem, Problems } from '../errors/problem.ts'
import { escapePointer, isRecord, type Json, parseJson } from './body.ts'
import type { Model } from './model.ts'
import { pairsOf } from './query.ts'
import { assertMay, lockRow } from './write.ts'

/** What was sent to an action, and where a fault in it is pointed at. */
export type Payload = {
  readonly value: Json
  readonly at: 'parameter' | 'pointer'
  /** Fields in bracket form as they were sent: whether `12` is a number or a text is for the field to say. */
  readonly texts?: ReadonlyMap<string, string>
}

/** A POST sends `{"data": {…}}` or the object itself; nothing at all is an empty object. */
export function bodyPayload(text: string): Payload {
  const body = text === '' ? {} : parseJson(text)
  const inner = isRecord(body) && Object.hasOwn(body, 'data') ? body.data : body
  return { value: inner ?? {}, at: 'pointer' }
}

const bracket = /^payload\[([^[\]]+)\]$/

// In bracket form everything is text; what reads as a JSON number, true, false or null is taken as that.
function scalar(text: string): Json {
  return /^(-?(0|[1-9]\d{0,14})(\.\d{1,10})?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

/** A GET sends `payload` as JSON, or `payload[name]=value`. Any other parameter is refused. */
export function queryPayload(raw: string): Payload {
  const texts = new Map<string, string>()
  let whole: Json | undefined
  for (const [name, value] of pairsOf(raw)) {
    const field = bracket.exec(name)?.[1]
    if (field !== undefined) texts.set(field, value)
    else if (name === 'payload') whole = parsePayload(value)
    else
      throw new Problem('bad_parameter', `${JSON.stringify(name)} is not a parameter of this call.`, {
        source: { parameter: name.toWellFormed() },
      })
  }
  if (whole !== undefined && texts.size > 0)
    throw new Problem('bad_parameter', 'Send the payload as JSON or in brackets, not both.', {
      source: { parameter: 'payload' },
    })
  const fields = [...texts].map(([name, text]): [string, Json] => [name, scalar(text)])
  return { value: whole ?? Object.fromEntries(fields), at: 'parameter', texts }
}

function parsePayload(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('bad_parameter', error.message, { source: { parameter: 'payload' } })
  }
}

function parsed(action: Action, { value, texts }: Payload) {
  const result = z.safeParse(action.input, value)
  if (result.success || !texts || !isRecord(value)) return result
  const wrong = new Set(result.error.issues.map(({ path }) => path[0]))
  const asText = [...texts].filter(([name]) => wrong.has(name))
  return z.safeParse(action.input, { ...value, ...Object.fromEntries(asText) })
}

function checked(action: Action, payload: Payload): unknown {
  const result = parsed(action, payload)
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, mostFaults).map((issue) => {
    const keys = issue.path.map(String)
    if (payload.at === 'parameter')
      return new Problem('bad_parameter', issue.message, {
        source: { parameter: ['payload', ...keys].join('.') },
      })
    const pointer = keys.map((key) => `/${escapePointer(key)}`).join('')
    return new Problem('validation', issue.message, { source: { pointer: `/data${pointer}` } })
  })
  throw new Problems(problems)
}

/** Runs a declared action in the request's transaction and returns its answer as JSON text. */
export async function callAction(
  context: Context,
  model: Model,
  name: string,
  action: Action,
  id: number | string | undefined,
  payload: Payload,
): Promise<string> {
  const handler = model.binding.actions[name]
  if (!handler) throw new Error(`${model.name}.${name} has no server half`)
  const row = action.on === 'one' ? await lockRow(context, model, id, action.method === 'POST') : undefined
  assertMay(model, name, context, row)
  const input = checked(action, payload)
  // The handler was written for this action's own input and row; the contract has just checked the one, `visible` the other.
  const output = await handler(context, { input: input as never, row: row as never })
  return JSON.stringify(z.parse(action.output, output))
}
