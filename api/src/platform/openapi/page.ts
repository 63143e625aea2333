import { refusals } from '@portico/contract/refusals/index.ts'
import { escaped } from '#platform/escape.ts'
import type { Json } from './json-schema.ts'

// The page is static HTML without a script: details are folded.

const html = (text: unknown) => escaped(String(text))

/** Renders Markdown's `code` and **strong**; everything else is escaped text. */
const prose = (text: unknown) =>
  html(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

const paragraphs = (text: unknown) =>
  String(text)
    .split('\n\n')
    .map((one) => `<p>${prose(one)}</p>`)
    .join('')

const slug = (text: unknown) =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Resolves a reference in the document, or returns the value itself. */
function resolved(document: Json, value: unknown): Json {
  const { $ref } = recordOf(value)
  if (typeof $ref !== 'string') return recordOf(value)
  return $ref
    .slice(2)
    .split('/')
    .reduce<Json>((at, name) => recordOf(at[name]), document)
}

/**
 * The type of a value in a few words: `string (date-time)`, `active | degraded`, `integer, from 1 to 100, or
 * null`.
 */
function kindOf(schema: Json): string {
  const { $ref, const: only, enum: some, anyOf, type, format, items, minimum, maximum, maxLength } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(some)) return some.map((one) => JSON.stringify(one)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((one) => kindOf(recordOf(one))).join(' or ')
  if (type === 'array') return `list of ${kindOf(recordOf(items))}`
  const limits = [
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
  ].filter(Boolean)
  const name = [type ?? 'any'].flat().join(' or ')
  return [format === undefined ? name : `${name} (${format})`, ...limits].join(', ')
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0
    ? ''
    : `<div class="wide"><table><thead><tr>${headings.map((one) => `<th scope="col">${one}</th>`).join('')}</tr></thead><tbody>${rows
        .map(
          ([first, ...rest]) =>
            `<tr><th scope="row"><code>${first}</code></th>${rest.map((one) => `<td>${one}</td>`).join('')}</tr>`,
        )
        .join('')}</tbody></table></div>`

/** The members of an object, with the required ones marked. */
function members(schema: Json): string {
  const required = Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(recordOf(schema.properties)).map(([name, one]) => [
    html(name),
    `<span class="kind">${html(kindOf(recordOf(one)))}</span>${required.includes(name) ? ' <b>required</b>' : ''}`,
  ])
  return table(['Field', 'What it is'], rows)
}

function parametersOf(document: Json, ...from: readonly unknown[]): string {
  const all = from.flatMap(listOf).map((one) => resolved(document, one))
  const rows = all.map((one) => {
    const required = one.required === true ? ' <b>required</b>' : ''
    const kind = one.schema === undefined ? 'JSON' : kindOf(recordOf(one.schema))
    const said = one.description === undefined ? '' : `<br>${prose(one.description)}`
    return [html(one.name), html(one.in), `<span class="kind">${html(kind)}</span>${required}${said}`]
  })
  return table(['Parameter', 'In', 'What it is'], rows)
}

const example = (label: string, value: unknown) =>
  value === undefined
    ? ''
    : `<p class="label">${label}</p><pre tabindex="0"><code>${html(JSON.stringify(value, null, 2))}</code></pre>`

/** The content of a body: its media type, its fields where it is plain JSON, and an example. */
function contentOf(label: string, of: Json): string {
  return Object.entries(recordOf(of.content))
    .map(([type, said]) => {
      const { schema, example: shown } = recordOf(said)
      const fields = type === 'application/json' ? members(recordOf(schema)) : ''
      return `<p class="label">${label} <code>${html(type)}</code></p>${fields}${example('Example', shown)}`
    })
    .join('')
}

function answersOf(document: Json, operation: Json): string {
  return Object.entries(recordOf(operation.responses))
    .map(([status, one]) => {
      const said = resolved(document, one)
      const body = status.endsWith('XX') ? '' : contentOf('Answer', said)
      return `<div class="answer"><p><b>${html(status)}</b> ${prose(said.description)}</p>${body}</div>`
    })
    .join('')
}

type Placed = {
  readonly path: string
  readonly method: string
  readonly item: Json
  readonly operation: Json
}

function operationOf(document: Json, { path, method, item, operation }: Placed): string {
  return `<details id="${slug(operation.operationId)}"><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${html(
    path,
  )}</code> <span class="quiet">${html(operation.summary)}</span></summary>
${operation.description === undefined ? '' : paragraphs(operation.description)}
${parametersOf(document, item.parameters, operation.parameters)}
${contentOf('Body', recordOf(operation.requestBody))}
${answersOf(document, operation)}</details>`
}

const methods = ['get', 'post', 'patch', 'delete']

function operationsIn(document: Json): readonly Placed[] {
  return Object.entries(recordOf(document.paths)).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = recordOf(item)[method]
      return isRecord(operation) ? [{ path, method, item: recordOf(item), operation }] : []
    }),
  )
}

/** A section with its operations; for a type also its fields. */
function sectionOf(document: Json, tag: Json, all: readonly Placed[]): string {
  const schemas = recordOf(recordOf(document.components).schemas)
  const type = recordOf(recordOf(schemas[String(tag.name)]).properties)
  const own = all.filter(({ operation }) => [operation.tags].flat().includes(tag.name))
  const fields = recordOf(type.attributes)
  return `<section id="${slug(tag.name)}" aria-labelledby="h-${slug(tag.name)}"><h2 id="h-${slug(tag.name)}">${html(tag.name)}</h2>
${tag.description === undefined ? '' : paragraphs(tag.description)}
${type.attributes === undefined ? '' : `<details><summary>Fields</summary>${members(fields)}</details>`}
${own.map((one) => operationOf(document, one)).join('')}</section>`
}

function codesOf(): string {
  const rows = Object.entries(refusals)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([code, [status, sentence]]) => [code, String(status), html(sentence)])
  return `<section id="codes" aria-labelledby="h-codes"><h2 id="h-codes">Codes of refusals</h2>${table(['Code', 'Status', 'What it says'], rows)}</section>`
}

/** The HTML page of the API: the whole document, with examples. */
export function docsPage(document: Json): string {
  const { title, summary, description } = recordOf(document.info)
  const tags = listOf(document.tags)
  const all = operationsIn(document)
  const toc = tags.map((tag) => `<li><a href="#${slug(tag.name)}">${html(tag.name)}</a></li>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API · ${html(title)}</title><link rel="stylesheet" href="/api/docs.css"></head>
<body><a class="skip" href="#main">Skip to content</a>
<nav aria-label="Parts of the API"><a class="home" href="/">${html(title)}</a><ul>${toc}<li><a href="#codes">Codes of refusals</a></li></ul></nav>
<main id="main"><h1>${html(title)} API</h1><p class="lead">${html(summary)} <a href="/api/openapi.json">OpenAPI document</a></p>
${paragraphs(description)}
${tags.map((tag) => sectionOf(document, tag, all)).join('')}
${codesOf()}</main></body></html>
`
}
