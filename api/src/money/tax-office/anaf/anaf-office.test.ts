import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { signedZip } from '#money/tax-office/stand-in/files.ts'
import { OfficeError } from '#money/tax-office/tax-office.ts'
import { clientOf } from '#test/support/tax-office.ts'
import { unzip } from './unzip.ts'

type Reply = { status?: number; body?: string | Buffer; headers?: Record<string, string>; cut?: boolean }

let reply: Reply = {}
const asked: string[] = []
let sent = ''
let connections = 0
const server = http.createServer((request, response) => {
  sent = ''
  request.on('data', (chunk) => (sent += chunk))
  request.on('end', () => {
    asked.push(`${request.method} ${request.url}`)
    if (reply.cut) return response.destroy()
    response.writeHead(reply.status ?? 200, reply.headers)
    return response.end(reply.body ?? '')
  })
})
server.on('connection', () => {
  connections += 1
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
// A server that listens on TCP has such an address.
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const office = clientOf(origin)
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const file = { xml: Buffer.from('<Invoice/>'), isCreditNote: false, isConsumer: false, isAbroad: false }
const upload = () => office.upload('token', '12345674', file)

async function faultOf(call: () => Promise<unknown>, given: Reply): Promise<string> {
  reply = given
  const error = await call().then(
    () => undefined,
    (failure: unknown) => failure,
  )
  return error instanceof OfficeError ? `${error.fault}${error.isClear ? '' : ' (unknown)'}` : String(error)
}

const header = (attributes: string, inside = '') =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><header xmlns="mfp:anaf:dgti:spv:respUploadFisier:v1" ${attributes}>${inside}</header>`

test('a document goes to the published address, with its number, kind and standard', async () => {
  reply = { body: header('dateResponse="202108051140" ExecutionStatus="0" index_incarcare="3828"') }
  expect(await upload()).toBe('3828')
  await office.upload('token', '12345674', { ...file, isCreditNote: true, isConsumer: true, isAbroad: true })
  await office.upload('token', '12345674', file, { isTrial: true })
  expect(asked.splice(0)).toEqual([
    'POST /prod/FCTEL/rest/upload?standard=UBL&cif=12345674',
    'POST /prod/FCTEL/rest/uploadb2c?standard=CN&cif=12345674&extern=DA',
    'POST /test/FCTEL/rest/upload?standard=UBL&cif=12345674',
  ])
})

test.each<[string, Reply, string]>([
  ['a refusal', { body: header('ExecutionStatus="1"', '<Errors errorMessage="Nu"/>') }, 'refused'],
  ['no right', { status: 403 }, 'unauthorised'],
  ['too many calls', { status: 429 }, 'busy'],
  ['a wrong request', { status: 400, body: 'cif' }, 'refused'],
  ['an error', { status: 500 }, 'failed (unknown)'],
  ['a time-out of the office', { status: 408 }, 'failed (unknown)'],
  ['a lost connection', { cut: true }, 'lost (unknown)'],
  ['an answer without an index', { body: header('ExecutionStatus="0"') }, 'answer_wrong (unknown)'],
  [
    'both an error and an index',
    { body: header('ExecutionStatus="1" index_incarcare="5"') },
    'answer_wrong (unknown)',
  ],
  [
    'an index that is no number',
    { body: header('ExecutionStatus="0" index_incarcare="../1"') },
    'answer_wrong (unknown)',
  ],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'answer_wrong (unknown)'],
  ['no XML', { body: '<html><p>Mentenanta' }, 'answer_wrong (unknown)'],
  ['entities', { body: '<!DOCTYPE a [<!ENTITY b "c">]><header>&b;</header>' }, 'answer_wrong (unknown)'],
  ['depth', { body: '<a>'.repeat(100) + '</a>'.repeat(100) }, 'answer_wrong (unknown)'],
  ['a huge answer', { body: Buffer.alloc(13_000_000, ' ') }, 'answer_too_large (unknown)'],
])('an upload that is answered by %s is %3$s', async (_, given, expected) => {
  expect(await faultOf(upload, given)).toBe(expected)
})

test('an office that nobody can connect to did not get the document', async () => {
  const gone = http.createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has such an address.
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  const nowhere = clientOf(`http://127.0.0.1:${port}`)
  expect(await faultOf(() => nowhere.upload('token', '1', file), {})).toBe('unreachable')
})

test('an office that does not answer in time may have the document', async () => {
  const silent = http.createServer((request) => request.resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has such an address.
  const { port } = silent.address() as AddressInfo
  const impatient = clientOf(`http://127.0.0.1:${port}`, { patienceMs: 200 })
  expect(await faultOf(() => impatient.upload('token', '1', file), {})).toBe('late (unknown)')
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
})

test('no call uses the connection of another, which the office may be closing', async () => {
  reply = { body: header('stare="in prelucrare"') }
  const before = connections
  for (let n = 0; n < 3; n++) await office.state('token', '5')
  expect(connections - before).toBe(3)
})

test('the words of the office are one line of limited length', async () => {
  reply = { body: header('ExecutionStatus="1"', `<Errors errorMessage="a&#10;${'b'.repeat(900)}"/>`) }
  const error = await upload().catch((failure: unknown) => failure)
  expect(error).toMatchObject({ fault: 'refused', said: `a ${'b'.repeat(498)}` })
  reply = { body: header('ExecutionStatus="1"', `<Errors errorMessage="${'b'.repeat(499)}😀\u202edc"/>`) }
  expect(await upload().catch((failure: unknown) => failure)).toMatchObject({ said: `${'b'.repeat(499)}😀` })
})

test.each<[string, string, object]>([
  ['in prelucrare', 'stare="in prelucrare"', { state: 'in_process' }],
  ['ok', 'stare="ok" id_descarcare="1234"', { state: 'ok', downloadId: '1234' }],
  ['nok', 'stare="nok" id_descarcare="123"', { state: 'nok', downloadId: '123' }],
  ['XML cu erori', 'stare="XML cu erori nepreluat de sistem"', { state: 'errors' }],
])('the state %s is read', async (_, attributes, expected) => {
  reply = { body: header(attributes) }
  expect(await office.state('token', '5')).toMatchObject(expected)
})

test.each(['stare="ok"', 'stare="?"', ''])(
  'a state that says nothing (%s) is no state',
  async (attributes) => {
    expect(await faultOf(() => office.state('token', '5'), { body: header(attributes) })).toBe(
      'answer_wrong (unknown)',
    )
  },
)

test('a person is sent to the login, and the code from there is exchanged, for tokens that are JWTs', async () => {
  const asks = new URL(office.authoriseUrl('state-1')).searchParams
  expect(Object.fromEntries(asks)).toMatchObject({
    response_type: 'code',
    token_content_type: 'jwt',
    state: 'state-1',
  })
  reply = { body: '{"access_token":"a","refresh_token":"b","expires_in":7776000}' }
  expect(await office.exchange('code-1')).toMatchObject({ access: 'a', refresh: 'b' })
  expect(Object.fromEntries(new URLSearchParams(sent))).toMatchObject({
    grant_type: 'authorization_code',
    code: 'code-1',
    token_content_type: 'jwt',
  })
  await office.refresh('b')
  expect(Object.fromEntries(new URLSearchParams(sent))).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'b',
    token_content_type: 'jwt',
  })
})

test('lists that are no lists, and tokens that are no tokens, are wrong answers', async () => {
  const list = () => office.messages('token', '1', { from: new Date(0), until: new Date(), page: 1 })
  for (const body of [
    '',
    '[]',
    '{"mesaje":[{"id":"a","id_solicitare":"1","tip":"x"}]}',
    '{"numar_total_pagini":-1,"mesaje":[]}',
  ])
    expect(await faultOf(list, { body }), body).toBe('answer_wrong (unknown)')
  expect(await faultOf(list, { body: '{"eroare":"Nu aveti drept"}' })).toBe('refused')
  reply = { body: '{"eroare":"Nu exista mesaje in ultimele 60 zile"}' }
  expect(await list()).toEqual({ messages: [], pages: 1 })
  for (const body of [
    '{}',
    '{"access_token":"a b","refresh_token":"c","expires_in":7776000}',
    '{"access_token":"a","refresh_token":"b","expires_in":1e99}',
  ])
    expect(await faultOf(() => office.refresh('old'), { body }), body).toBe('answer_wrong (unknown)')
})

test('a signed archive gives the number, day and amount of its document', async () => {
  const xml = `<Invoice xmlns:cbc="b" xmlns:cac="c"><cbc:ID>EX-1</cbc:ID><cbc:IssueDate>2026-11-23</cbc:IssueDate>
    <cbc:DocumentCurrencyCode>RON</cbc:DocumentCurrencyCode><cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount>12.5</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal></Invoice>`
  reply = { body: signedZip('5', xml) }
  expect((await office.download('token', '5')).document).toEqual({
    number: 'EX-1',
    issueDate: '2026-11-23',
    total: '12.50',
    currency: 'RON',
  })
})

const signedInvoice = (more: { id?: string; day?: string; currency?: string; inside?: string }) =>
  signedZip(
    '5',
    `<Invoice><ID>${more.id ?? 'EX-1'}</ID><IssueDate>${more.day ?? '2026-11-23'}</IssueDate>
    <DocumentCurrencyCode>${more.currency ?? 'RON'}</DocumentCurrencyCode>
    <LegalMonetaryTotal><TaxInclusiveAmount>1</TaxInclusiveAmount></LegalMonetaryTotal>${more.inside ?? ''}</Invoice>`,
  )

test.each<[string, Parameters<typeof signedInvoice>[0]]>([
  ['no day of the calendar', { day: '2026-02-30' }],
  ['a day that the database does not have', { day: '0000-01-01' }],
  ['a long number', { id: 'E'.repeat(5000) }],
  ['a currency that is none', { currency: 'LEIN' }],
  ['a million elements', { inside: '<Note/>'.repeat(1_000_000) }],
  [
    'a hundred attributes',
    { inside: `<Note ${Array.from({ length: 100 }, (_, n) => `a${n}=""`).join(' ')}/>` },
  ],
])('a signed invoice with %s is a wrong answer', async (_, more) => {
  reply = { body: signedInvoice({}) }
  expect((await office.download('token', '5')).document).toMatchObject({ number: 'EX-1' })
  expect(await faultOf(() => office.download('token', '5'), { body: signedInvoice(more) })).toBe(
    'answer_wrong (unknown)',
  )
})

/** The archive whose directory names its first file again and again, so that each is unpacked from the same bytes. */
function repeated(zip: Buffer, times: number): Buffer {
  const end = zip.subarray(-22)
  const begin = zip.readUInt32LE(zip.length - 6)
  const entry = zip.subarray(begin, begin + 46 + zip.readUInt16LE(begin + 28))
  const more = Buffer.from(end)
  const count = zip.readUInt16LE(zip.length - 12) + times
  more.writeUInt16LE(count, 8)
  more.writeUInt16LE(count, 10)
  return Buffer.concat([
    zip.subarray(0, begin),
    ...Array.from({ length: times }, () => entry),
    zip.subarray(begin, -22),
    more,
  ])
}

test('archives that are cut off, damaged, too large or unsigned are wrong answers', async () => {
  const zip = signedZip('5', '<Invoice/>')
  const at = zip.indexOf(deflateRawSync(Buffer.from('<Invoice/>')))
  const damaged = Buffer.from(zip)
  damaged.writeUInt8((damaged[at] ?? 0) ^ 0xff, at)
  // Some kilobytes that would become twenty megabytes.
  const bomb = signedZip('5', ' '.repeat(20_000_000))
  const many = Buffer.from(zip)
  many.writeUInt16LE(60_000, many.length - 12)
  for (const body of [
    zip.subarray(0, 80),
    damaged,
    bomb,
    repeated(signedZip('5', ' '.repeat(9_000_000)), 4),
    many,
    Buffer.from('{"eroare":"x"}'),
    Buffer.alloc(0),
  ])
    expect(await faultOf(() => office.download('token', '5'), { body })).toBe('answer_wrong (unknown)')
  expect(() => unzip(Buffer.from('PK'))).toThrow(OfficeError)
})
