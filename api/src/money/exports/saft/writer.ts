import Big from 'big.js'
import { fitting } from '#money/invoices/documents/xml.ts'
import { escaped } from '#platform/escape.ts'
import type { Field, Leaf, StreamOf } from './elements.ts'
import { auditFile, namespace } from './schema.ts'

type Value = string | null | readonly Value[] | { readonly [name: string]: Value }
type Streamed = Value | AsyncIterable<Value> | { readonly [name: string]: Streamed }
type Parts<V> = { readonly [name: string]: V }

const isList = (value: Streamed): value is readonly Value[] => Array.isArray(value)
const isStream = (value: Streamed): value is AsyncIterable<Value> =>
  value !== null && typeof value === 'object' && Symbol.asyncIterator in value

/** Cuts a text to whole characters, not to halves of those that take two units of UTF-16. */
const shortened = (value: string, most: number): string =>
  [...fitting(value).replaceAll(/\s/g, ' ').trim()].slice(0, most).join('').trimEnd()

function leafText(leaf: Leaf, value: string): string {
  if (leaf.kind === 'text') return shortened(value, leaf.most)
  return leaf.kind === 'decimal' ? new Big(value).toFixed(leaf.fraction) : value
}

const tagged = (name: string, content: string): string =>
  content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`

const wrong = (name: string): never => {
  throw new Error(`The value of ${name} has another shape than its declaration.`)
}

const isEmpty = (field: Field, value: Value | undefined): boolean =>
  value === null ||
  value === undefined ||
  (field.kind === 'text' && typeof value === 'string' && shortened(value, field.most) === '')

function written(name: string, field: Field, value: Value | undefined): string {
  if (field.kind === 'optional') return isEmpty(field.of, value) ? '' : written(name, field.of, value)
  if (value === null || value === undefined) return wrong(name)
  if (field.kind === 'many')
    return isList(value) ? value.map((one) => written(name, field.of, one)).join('') : wrong(name)
  if (field.kind === 'parts') {
    if (typeof value === 'string' || isList(value)) return wrong(name)
    const inside = Object.entries(field.parts).map(([part, of]) => written(part, of, value[part]))
    return tagged(name, inside.join(''))
  }
  // A demanded text is never empty.
  return typeof value === 'string' ? tagged(name, escaped(leafText(field, value) || '-')) : wrong(name)
}

async function* streamed(
  name: string,
  field: Field,
  value: Streamed | undefined,
  begin = `<${name}>`,
): AsyncGenerator<string> {
  if (field.kind === 'many' && value !== undefined && isStream(value)) {
    for await (const one of value) yield written(name, field.of, one)
  } else if (field.kind === 'parts') {
    yield begin
    // The value of declared parts has these parts.
    for (const [part, of] of Object.entries(field.parts))
      yield* streamed(part, of, (value as Parts<Streamed>)[part])
    yield `</${name}>`
    // Nothing but lists and parts is read while it is written.
  } else yield written(name, field, value as Value)
}

/** A file, piece by piece: repeated elements are read while they are written. */
export const auditFileText = (value: StreamOf<typeof auditFile>): AsyncGenerator<string> =>
  streamed('AuditFile', auditFile, value, `<AuditFile xmlns="${namespace}">`)
