import { spawnSync } from 'node:child_process'
import fs from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import { base } from '@portico/contract/wire.ts'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeInvoiceFiles } from '#money/invoices/files.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { systemClock } from '#platform/clock.ts'
import { Reads } from '#platform/db/hosts/reads.ts'
import { exportPartsOf } from '#privacy/data-export-parts.ts'
import { makeExport } from '#privacy/data-exports.ts'
import { models } from '#start/models.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { testVault } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { Browser, person } from '#test/support/people.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { noScanner } from './file-scanner.ts'
import { type FileStorage, localStorage } from './file-storage.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { folder, remove } = temporaryFolder()
afterAll(remove)

const failure = (code: string) =>
  Object.assign(new Error(`${code}: write`), { code, errno: -1, syscall: 'write' })
const real = await localStorage(folder)
/** The error of the next write; undefined while the disk works. */
let broken: string | undefined
const storage: FileStorage = {
  ...real,
  keep: async (key, file) => {
    if (broken) throw failure(broken)
    await real.keep(key, file)
  },
}
const { app, lines } = await testApp(pool, { files: { storage, scanner: noScanner } })
await app.listen({ host: '127.0.0.1', port: 0 })
// A server that listens on TCP has such an address.
const { port } = app.server.address() as AddressInfo
const ana = await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn(ana.email)

beforeEach(async () => {
  lines.length = 0
  await db.deleteFrom('staff_alerts').execute()
})
afterEach(() => {
  broken = undefined
  vi.restoreAllMocks()
})

const upload = (payload: string) =>
  browser.ask({
    method: 'POST',
    url: `${base}/ticket-files/-actions/upload?filename=a.txt`,
    headers: { authorization: `Bearer ${browser.cookies.get('token')}` },
    payload,
  })
const alerts = async () =>
  (await db.selectFrom('staff_alerts').select('kind').execute()).map(({ kind }) => kind)
const errors = () => lines.filter(({ level, msg }) => level === 50 && msg === 'the file storage failed')

test.each([
  ['ENOSPC', 507, 'storage_full', ['storage_full']],
  ['EDQUOT', 507, 'storage_full', ['storage_full']],
  ['EIO', 503, 'storage_unavailable', []],
  ['EROFS', 503, 'storage_unavailable', []],
])(
  'an upload that ends in %s is answered %s, which is an error in the log',
  async (code, status, refusal, expectedAlerts) => {
    broken = code
    const answer = await upload('hello')
    const [error] = answer.json().errors
    expect([answer.statusCode, error.code]).toEqual([status, refusal])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(errors()).toMatchObject([{ request_id: error.id }])
    expect(await alerts()).toEqual(expectedAlerts)
    expect(await fs.readdir(storage.incoming)).toEqual([])
    broken = undefined
    expect((await upload('hello')).statusCode).toBe(201)
  },
)

/** Sends a whole body, however it is received, and reads the answer to its end. */
const send = (bytes: number, stopAt = bytes) =>
  new Promise<string>((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => {
      heard += String(data)
    })
    socket.on('error', (error) => resolve(`${error}`))
    socket.on('close', () => resolve(heard))
    socket.write(
      [
        `POST ${base}/ticket-files/-actions/upload?filename=a.txt HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${browser.cookies.get('token')}`,
        `content-length: ${bytes}`,
        '\r\n',
      ].join('\r\n'),
    )
    socket.write(Buffer.alloc(stopAt, 'a'), () => void (stopAt < bytes && socket.destroy()))
  })

test('a full disk is reported while a large body still arrives, and the connection is not reset', async () => {
  const open = fs.open.bind(fs)
  vi.spyOn(fs, 'open').mockImplementation(async (...given) => {
    const handle = await open(...given)
    vi.spyOn(handle, 'appendFile').mockRejectedValue(failure('ENOSPC'))
    return handle
  })
  const heard = await send(9 * 1_048_576)
  expect(heard).toMatch(/^HTTP\/1\.1 507 /)
  expect(heard).toContain('"code":"storage_full"')
  expect(await alerts()).toEqual(['storage_full'])
  expect(await fs.readdir(storage.incoming)).toEqual([])
})

test('an aborted upload is no failure of the storage', async () => {
  await send(9 * 1_048_576, 100_000)
  await vi.waitFor(() => expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1))
  expect(errors()).toEqual([])
  expect(await alerts()).toEqual([])
})

test('documents and copies that met a full disk are made by the next try, and staff are alerted', async () => {
  await businessTime(pool, '2026-11-20T10:00:00Z')
  await makeOperator(pool)
  await makeBuyer(pool, ana)
  const { id } = await db
    .transaction()
    .execute((tx) => issueInvoice(tx, { clientId: ana.id, sum: { net: '50' } }))
  const documents = { pdf: async () => Buffer.from('%PDF-1.7') }
  const make = () => makeInvoiceFiles({ pool, vault: testVault, storage, documents }, id)
  broken = 'ENOSPC'
  await expect(make()).rejects.toMatchObject({ code: 'storage_full' })
  expect(await alerts()).toEqual(['storage_full'])
  expect(await fs.readdir(storage.incoming)).toEqual([])
  broken = undefined
  await make()
  expect((await browser.get(`${base}/invoices/${id}/-actions/download`)).body).toBe('%PDF-1.7')

  const parts = {
    pool,
    clock: systemClock,
    vault: testVault,
    storage,
    partsOf: exportPartsOf({ pool, reads: new Reads(pool), models, storage }),
  }
  const copy = (await browser.send('POST', '/api/user/exports', {})).json()
  broken = 'ENOSPC'
  await expect(makeExport(parts, copy.id, { last: false })).rejects.toMatchObject({ code: 'storage_full' })
  broken = undefined
  await makeExport(parts, copy.id, { last: true })
  expect((await browser.get(`/api/user/exports/${copy.id}/file`)).statusCode).toBe(200)
})

const { folder: small, remove: removeSmall } = temporaryFolder()
// Only root may mount; other users rely on the simulated failures above.
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', [small])
  removeSmall()
})

test.runIf(isMounted)(
  'a file that does not fit on a real disk is refused as a whole, and one that fits is stored',
  async () => {
    const files = { storage: await localStorage(small), scanner: noScanner }
    const { app: other } = await testApp(pool, { files })
    const uploadTo = (bytes: number) =>
      other.inject({
        method: 'POST',
        url: `${base}/ticket-files/-actions/upload?filename=a.txt`,
        headers: { authorization: `Bearer ${browser.cookies.get('token')}` },
        payload: 'x'.repeat(bytes),
      })
    const answer = await uploadTo(3_000_000)
    expect([answer.statusCode, answer.json().errors?.[0].code]).toEqual([507, 'storage_full'])
    expect(await fs.readdir(files.storage.incoming)).toEqual([])
    expect((await uploadTo(1000)).statusCode).toBe(201)
  },
)
