import * as account from '@portico/contract/calls/account/account.ts'
import * as accountAddresses from '@portico/contract/calls/account/addresses.ts'
import * as security from '@portico/contract/calls/account/security.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import * as auth from '@portico/contract/calls/auth.ts'
import type { Call } from '@portico/contract/calls/call.ts'
import * as demo from '@portico/contract/calls/demo.ts'
import { fileLocation, invoiceFileLocation } from '@portico/contract/calls/file-locations.ts'
import * as firstAdmin from '@portico/contract/calls/first-admin.ts'
import { archiveBody } from '@portico/contract/calls/invoice-files.ts'
import * as outbox from '@portico/contract/calls/outbox.ts'
import * as registration from '@portico/contract/calls/registration.ts'
import * as sandbox from '@portico/contract/calls/sandbox.ts'
import * as staffInvitation from '@portico/contract/calls/staff-invitation.ts'
import * as user from '@portico/contract/calls/user.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import { exampleOf } from './examples.ts'
import { type Json, jsonSchema } from './json-schema.ts'
import { answer, body, operation, pathParameters } from './operations.ts'
import { oneDocument } from './resource-schemas.ts'

type Paths = Record<string, Json>

/** The required authentication: none, or signed in. */
const groups = [
  { tag: 'Sign in', calls: auth, open: true },
  { tag: 'Register and recover', calls: { ...registration, ...staffInvitation, ...firstAdmin }, open: true },
  { tag: 'The signed-in person', calls: user, open: false },
  { tag: 'Sign-in methods', calls: security, open: false },
  { tag: 'The account as a whole', calls: account, open: false },
  { tag: 'A demo', calls: { ...demo, ...outbox, ...sandbox }, open: true },
] as const

/** The headings of the calls outside the data API, in their order. */
export const callTags: readonly string[] = [...groups.map(({ tag }) => tag), 'Files']

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'output' in value && 'path' in value

/** Converts `/auth/verify-email/:id/:hash` to OpenAPI's form. */
const templated = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The query parameters: every input member that is not in the path. */
function queryOf(input: Json, path: string): Json[] {
  const { properties = {}, required = [] } = input
  const all = isRecord(properties) ? Object.entries(properties) : []
  return all
    .filter(([name]) => !path.includes(`{${name}}`))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      ...(Array.isArray(required) && required.includes(name) && { required: true }),
      schema,
    }))
}

/** The body: every input member that is not in the path. */
function bodyOf(input: Json, path: string): Json {
  const { properties = {}, required = [] } = input
  const rest = isRecord(properties) ? Object.entries(properties) : []
  const own = rest.filter(([name]) => !path.includes(`{${name}}`))
  const needed = Array.isArray(required) ? required.filter((name) => !path.includes(`{${name}}`)) : []
  return {
    ...input,
    properties: Object.fromEntries(own),
    ...(needed.length > 0 ? { required: needed } : { required: [] }),
  }
}

function callOperation(name: string, tag: string, open: boolean, { method, path, ...call }: Call): Json {
  const at = templated(path)
  const input = jsonSchema(call.input, 'input')
  const output = jsonSchema(call.output, 'output')
  const inQuery = method === 'GET' || method === 'DELETE'
  const sent = bodyOf(input, at)
  return operation({
    tag,
    id: name,
    summary: name.replaceAll(/([A-Z])/g, ' $1').toLowerCase(),
    description: call.description,
    open,
    parameters: [...pathParameters(at), ...(inQuery ? queryOf(input, at) : [])],
    ...(!inQuery && { body: body('application/json', sent, exampleOf(sent)) }),
    answers: { 200: answer('Done.', 'application/json', output, exampleOf(output)) },
  })
}

const redirect = operation({
  tag: 'Sign in',
  id: 'google',
  summary: 'go to google',
  description: 'Redirects the browser to Google for sign-in, which redirects back to a page of the portal.',
  open: true,
  answers: { 302: answer('The address to redirect to.') },
})

const bytes: Json = { type: 'string', contentMediaType: 'application/octet-stream' }
const id = pathParameters('{id}', { id: { type: 'string', pattern: '^[1-9][0-9]*$' } })

const fetched = (operationId: string, summary: string, type: string): Json => ({
  parameters: id,
  get: operation({
    tag: 'Files',
    id: operationId,
    summary,
    answers: { 200: answer('The file.', type, bytes) },
    refusals: [404, 409],
  }),
})

const uploading = operation({
  tag: 'Files',
  id: 'ticket-files.upload',
  summary: 'upload a file for a ticket',
  description:
    'The body is the bytes of the file. The ticket or message that it belongs to references it afterwards.',
  parameters: [
    { name: 'filename', in: 'query', required: true, schema: { type: 'string', maxLength: 1000 } },
  ],
  body: body('application/octet-stream', bytes),
  answers: { 201: answer('It was kept.', mediaType, oneDocument('ticket-files')) },
  refusals: [413, 415, 422],
})

const archiveSchema = jsonSchema(archiveBody, 'input')
const archiving = operation({
  tag: 'Files',
  id: 'invoices.downloadArchive',
  summary: 'the files of a period, or of chosen documents',
  description:
    'A ZIP of at most 200 files. Documents with damaged or missing files are left out: a text file in it lists them, and `x-missing-files` is their number.',
  body: body('application/json', archiveSchema, exampleOf(archiveSchema)),
  answers: { 200: answer('The archive.', 'application/zip', bytes) },
  refusals: [422],
})

/** Calls with binary bodies, which no schema describes. */
const files: Paths = {
  [`${base}${fileLocation.upload}`]: { post: uploading },
  [`${base}${templated(fileLocation.download)}`]: fetched(
    'ticket-files.download',
    'a file of a ticket',
    '*/*',
  ),
  [templated(accountAddresses.exportFile.path)]: fetched(
    'exportFile',
    'the copy of one’s data',
    'application/zip',
  ),
  [`${base}${templated(invoiceFileLocation.download)}`]: fetched(
    'invoices.download',
    'a document',
    'application/pdf',
  ),
  [`${base}${templated(invoiceFileLocation.xml)}`]: fetched(
    'invoices.xml',
    'an electronic invoice',
    'application/xml',
  ),
  [`${base}${templated(invoiceFileLocation.signed)}`]: fetched(
    'invoices.signed',
    'an electronic invoice as the tax office signed it',
    'application/zip',
  ),
  [`${base}${invoiceFileLocation.archive}`]: { post: archiving },
}

/** The paths of every call outside the data API. */
export function callPaths(): Paths {
  const paths: Paths = { ...files, [addresses.google.path]: { get: redirect } }
  for (const { tag, calls, open } of groups)
    for (const [name, call] of Object.entries(calls)) {
      if (!isCall(call)) continue
      const at = templated(call.path)
      paths[at] = { ...paths[at], [call.method.toLowerCase()]: callOperation(name, tag, open, call) }
    }
  return paths
}
