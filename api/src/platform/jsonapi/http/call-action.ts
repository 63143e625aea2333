import type { Action } from '@portico/contract/jsonapi.ts'
import * as z from 'zod/mini'
import type { Context, OutsideContext } from '#platform/context.ts'
import { mostFaults, Problem, Problems, refuse, refuseValue } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import { pairsOf } from '#platform/jsonapi/read/query.ts'
import { escapePointer, isRecord, type Json, parseJson } from '#platform/jsonapi/write/body.ts'
import { assertMay, lockRow } from '#platform/jsonapi/write/rows.ts'
import { nameClient } from '#platform/jsonapi/write/staff-action.ts'

/** The input of an action, and the place for error pointers into it. */
export type Payload = {
  readonly value: Json
  readonly at: 'parameter' | 'pointer'
  /** The member of the input in which the value was sent, where it is part of another input. */
  readonly member?: string
  /** Bracket-form values as they were sent: the field's schema decides whether `12` is a number or a text. */
  readonly texts?: ReadonlyMap<string, string>
}

/** A POST sends `{"data": {…}}` or the object itself; nothing at all is an empty object. */
export function bodyPayload(text: string): Payload {
  const body = text === '' ? {} : parseJson(text)
  const inner = isRecord(body) && Object.hasOwn(body, 'data') ? body.data : body
  return { value: inner ?? {}, at: 'pointer' }
}

const bracket = /^payload\[([^[\]]+)\]$/

// In bracket form everything is text; a valid JSON number, true, false or null is parsed.
function scalar(text: string): Json {
  return /^(-?(0|[1-9]\d{0,14})(\.\d{1,10})?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

/**
 * Reads the input of a GET from `payload` as JSON, or from `payload[name]=value`. Any other parameter is
 * refused.
 */
export function queryPayload(raw: string): Payload {
  const texts = new Map<string, string>()
  let whole: Json | undefined
  for (const [name, value] of pairsOf(raw)) {
    const field = bracket.exec(name)?.[1]
    if (field !== undefined) texts.set(field, value)
    else if (name === 'payload') whole = parsePayload(value)
    else
      throw refuse(
        'parameter_unknown',
        { name: JSON.stringify(name) },
        { source: { parameter: name.toWellFormed() } },
      )
  }
  if (whole !== undefined && texts.size > 0)
    throw refuse('payload_twice', {}, { source: { parameter: 'payload' } })
  const fields = [...texts].map(([name, text]): [string, Json] => [name, scalar(text)])
  return { value: whole ?? Object.fromEntries(fields), at: 'parameter', texts }
}

function parsePayload(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.refusal, { status: 400, source: { parameter: 'payload' } })
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
      return refuseValue(issue.message, {
        status: 400,
        source: { parameter: ['payload', ...keys].join('.') },
      })
    const inside = payload.member === undefined ? keys : [payload.member, ...keys]
    const pointer = inside.map((key) => `/${escapePointer(key)}`).join('')
    return refuseValue(issue.message, { source: { pointer: `/data${pointer}` } })
  })
  throw new Problems(problems)
}

/** The call: an action of a type, on a row or on the type, with its input. */
export type Called = {
  readonly model: Model
  readonly name: string
  readonly action: Action
  readonly id: number | string | undefined
  readonly payload: Payload
}

/**
 * Finds the row as the actor sees it, checks the permission and validates the input. A writing transaction
 * locks the row.
 */
async function admitted(context: Context, { model, name, action, id, payload }: Called, held: boolean) {
  const row = action.on === 'one' ? await lockRow(context, model, id, held) : undefined
  assertMay(model, name, context, row)
  // The handler has the types of this action's input and row; the contract has validated the one, the policy
  // the other.
  return { input: checked(action, payload) as never, row: row as never }
}

const handlerOf = ({ model, name }: Called) => {
  const handler = model.binding.actions[name]
  if (!handler) throw new Error(`${model.name}.${name} has no server binding`)
  return handler
}

const answer = ({ action }: Called, output: unknown) =>
  Buffer.from(JSON.stringify(z.parse(action.output, output)))

/** Whether an action makes outside calls, and so must not run in a transaction. */
export const goesOutside = (called: Called): boolean => typeof handlerOf(called) === 'object'

/**
 * Runs a declared action in the request's transaction and returns its output as JSON text; `before` runs once
 * it is clear that the actor may.
 */
export async function callAction(
  context: Context,
  called: Called,
  before: () => Promise<void>,
): Promise<Buffer> {
  const handler = handlerOf(called)
  if (typeof handler !== 'function') throw new Error(`${called.name} calls outside`)
  const writes = called.action.method === 'POST'
  const isLogged = writes && called.action.passing !== true
  const given = await admitted(context, called, writes)
  if (isLogged) await before()
  const output = await handler(context, given)
  if (isLogged) await nameClient(context, called.model, called.id)
  return answer(called, output)
}

/**
 * Runs an action with outside calls: admitted in a read-only transaction, then run outside any transaction.
 */
export async function callOutside(
  outsideContext: OutsideContext,
  called: Called,
  reading: <T>(work: (context: Context) => Promise<T>) => Promise<T>,
): Promise<Buffer> {
  const handler = handlerOf(called)
  if (typeof handler !== 'object') throw new Error(`${called.name} makes no outside call`)
  const given = await reading((context) => admitted(context, called, false))
  return answer(called, await handler.outside(outsideContext, given))
}
