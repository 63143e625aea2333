import { mediaType } from '@portico/contract/wire.ts'
import { expect } from 'vitest'
import type { Answer, Document, Identifier, Linkage, ResourceObject } from './answer.ts'

// JSON:API 1.1, "Document Structure", as assertions. Names in messages are those of the specification.

const memberName =
  /^(?:[a-zA-Z0-9]|[\u0080-\u{10ffff}])(?:(?:[a-zA-Z0-9 _-]|[\u0080-\u{10ffff}])*(?:[a-zA-Z0-9]|[\u0080-\u{10ffff}]))?$/u

function only(value: object, allowed: readonly string[], what: string): void {
  expect(
    Object.keys(value).filter((key) => !allowed.includes(key)),
    `additional members of ${what}`,
  ).toEqual([])
}

function assertLinks(links: unknown, allowed: readonly string[], what: string): void {
  expect(links, `links of ${what}`).toBeTypeOf('object')
  only(links ?? {}, allowed, `links of ${what}`)
  for (const link of Object.values(links ?? {})) {
    if (link === null) continue
    expect(link, `a link of ${what}`).toBeTypeOf('string')
    // RFC 3986 knows no other characters, and a bracket only around an IPv6 host.
    expect(link, `a link of ${what}`).toMatch(/^[\w\-.~!$&'()*+,;=:@/?%]+$/)
  }
}

function assertIdentifier(value: Identifier, what: string): void {
  expect(value.type, `type of ${what}`).toBeTypeOf('string')
  expect(value.type, `type of ${what}`).toMatch(memberName)
  expect(value.id, `id of ${what}`).toBeTypeOf('string')
  expect(value.id, `id of ${what}`).not.toBe('')
}

function assertLinkage(linkage: Linkage, what: string): void {
  for (const one of list(linkage)) {
    assertIdentifier(one, what)
    only(one, ['type', 'id', 'meta'], `a resource identifier in ${what}`)
  }
}

function list<T>(value: T | null | undefined | readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined ? [] : [value as T] // Array.isArray does not narrow a readonly array away.
}

function assertValue(value: unknown, what: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    expect(['links', 'relationships'], `reserved members in ${what}`).not.toContain(key)
    assertValue(inner, what)
  }
}

function assertRelationships(resource: ResourceObject, what: string): void {
  for (const [name, relationship] of Object.entries(resource.relationships ?? {})) {
    const at = `${what}.${name}`
    expect(name).toMatch(memberName)
    only(relationship, ['links', 'data', 'meta'], at)
    expect('links' in relationship || 'data' in relationship, `${at} has links or data`).toBe(true)
    if (relationship.links)
      assertLinks(relationship.links, ['self', 'related', 'first', 'prev', 'next', 'last'], at)
    if (relationship.data !== undefined) assertLinkage(relationship.data, at)
  }
}

function assertResource(resource: ResourceObject, what: string): void {
  only(resource, ['type', 'id', 'attributes', 'relationships', 'links', 'meta'], what)
  assertIdentifier(resource, what)
  const attributes = Object.keys(resource.attributes ?? {})
  const relationships = Object.keys(resource.relationships ?? {})
  const fields = [...attributes, ...relationships]
  expect(new Set([...fields, 'type', 'id']).size, `fields of ${what} share one namespace`).toBe(
    fields.length + 2,
  )
  for (const name of attributes) expect(name).toMatch(memberName)
  for (const [name, value] of Object.entries(resource.attributes ?? {})) assertValue(value, `${what}.${name}`)
  assertRelationships(resource, what)
  if (resource.links) assertLinks(resource.links, ['self'], what)
}

const key = ({ type, id }: Identifier) => `${type} ${id}`

/** Every included resource is named by the primary data or by a resource that is reached from it. */
function assertFullLinkage({ data, included = [] }: Document): void {
  const byKey = new Map(included.map((one) => [key(one), one]))
  const reached = new Set<string>()
  let open = [...list(data)]
  while (open.length > 0) {
    const linked = open.flatMap(({ relationships = {} }) =>
      Object.values(relationships)
        .flatMap((relationship) => list<Identifier>(relationship.data))
        .map(key),
    )
    const fresh = [...new Set(linked)].filter((name) => byKey.has(name) && !reached.has(name))
    for (const name of fresh) reached.add(name)
    open = fresh.flatMap((name) => byKey.get(name) ?? [])
  }
  expect(
    included.map(key).filter((name) => !reached.has(name)),
    'included without linkage',
  ).toEqual([])
}

/** A successful document by all structural rules; with `linkage: false` where sparse fieldsets may hide the links. */
export function assertDocument(answer: Answer, more: { linkage?: boolean } = {}): void {
  expect(answer.header('content-type'), answer.text.slice(0, 300)).toBe(mediaType)
  const { document } = answer
  only(document, ['jsonapi', 'links', 'data', 'included', 'meta'], 'the document')
  expect(document).toHaveProperty('data')
  expect(document.jsonapi).toEqual({ version: '1.1' })
  if (document.links)
    assertLinks(document.links, ['self', 'related', 'first', 'prev', 'next', 'last'], 'the document')
  const all = [...list(document.data), ...(document.included ?? [])]
  for (const one of all) assertResource(one, key(one))
  expect(new Set(all.map(key)).size, 'each type and id stands once').toBe(all.length)
  if (more.linkage !== false) assertFullLinkage(document)
}

/** A document of errors by all rules, of this status, and when given exactly these faults (see `Answer.faults`). */
export function assertErrors(answer: Answer, status: number, faults?: readonly string[]): void {
  const said = answer.text.slice(0, 500)
  expect(answer.status, said).toBe(status)
  expect(answer.header('content-type'), said).toBe(mediaType)
  const { document } = answer
  only(document, ['jsonapi', 'errors', 'meta', 'links'], 'the document')
  expect(Array.isArray(document.errors) && document.errors.length > 0, said).toBe(true)
  for (const error of answer.errors) {
    only(error, ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta'], 'an error object')
    expect(error.status).toMatch(/^[45]\d\d$/)
    for (const text of [error.code, error.title, error.detail]) {
      expect(text, said).toBeTypeOf('string')
      expect(text, said).not.toBe('')
      expect(text.isWellFormed()).toBe(true)
    }
    if (error.source) {
      only(error.source, ['pointer', 'parameter', 'header'], 'a source')
      if (error.source.pointer !== undefined) expect(error.source.pointer).toMatch(/^(\/([^~/]|~[01])*)*$/)
    }
  }
  if (faults) expect(answer.faults).toEqual(faults)
}
