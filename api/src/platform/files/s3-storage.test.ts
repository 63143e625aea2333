import fs from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '#test/support/temporary.ts'
import { s3Storage } from './s3-storage.ts'
import { storageProblem } from './storage-problem.ts'

// A server that speaks S3, on the loopback; it checks the signatures.
const { folder, remove } = temporaryFolder()
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: path.join(folder, 'server'),
  configureBuckets: [{ name: 'portico-files', configs: [] }],
})
const { port }: AddressInfo = await server.run()
afterAll(async () => {
  // A response that was not read completely keeps its connection open.
  server.httpServer.closeAllConnections()
  await server.close()
  remove()
})

const bucket = {
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'portico-files',
  region: 'us-east-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}
const storage = await s3Storage(bucket, path.join(folder, 'ours'))

async function arrived(content: string | Buffer): Promise<string> {
  const file = path.join(storage.incoming, `f${Math.round(performance.now() * 1000)}`)
  await fs.writeFile(file, content)
  return file
}

test('keeps, reads and removes a file of a bucket', async () => {
  const file = await arrived('ceva ș')
  await storage.keep('0b1c2d3e-key', file)
  await expect(fs.access(file)).rejects.toThrow()
  expect(await text((await storage.read('0b1c2d3e-key')) ?? Readable.from([]))).toBe('ceva ș')
  await storage.remove('0b1c2d3e-key')
  await storage.remove('0b1c2d3e-key')
  expect(await storage.read('0b1c2d3e-key')).toBeNull()
})

test('an archive of usage has a place that other programs understand, and is listed by its key', async () => {
  await storage.keep('usage-day-2026-11-20', await arrived('PAR1'))
  expect(await text((await storage.read('usage-day-2026-11-20')) ?? Readable.from([]))).toBe('PAR1')
  const place = path.join(folder, 'server/portico-files/usage-events')
  expect((await fs.readdir(place)).map((name) => decodeURIComponent(name))).toEqual(['day=2026-11-20'])
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  expect(keys).toEqual(['usage-day-2026-11-20'])
  await storage.remove('usage-day-2026-11-20')
})

test('a large file goes through whole', async () => {
  const content = Buffer.alloc(10 * 1_048_576, 'abcdefg')
  await storage.keep('large-file-key', await arrived(content))
  const chunks: Buffer[] = []
  for await (const chunk of (await storage.read('large-file-key')) ?? []) chunks.push(Buffer.from(chunk))
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
})

test('lists every file, and when it was written', async () => {
  const before = Date.now() - 2000
  for (const key of ['listed-one', 'listed-two']) await storage.keep(key, await arrived(key))
  const listed = new Map<string, Date>()
  for await (const { key, writtenAt } of storage.list()) listed.set(key, writtenAt)
  expect([...listed.keys()]).toEqual(expect.arrayContaining(['listed-one', 'listed-two']))
  for (const key of ['listed-one', 'listed-two'])
    expect(listed.get(key)?.getTime()).toBeGreaterThanOrEqual(before)
})

/** A server that gives every request the same treatment. */
async function stub(answer: http.RequestListener): Promise<string> {
  const stubbed = http.createServer(answer)
  await new Promise<void>((resolve) => stubbed.listen(0, '127.0.0.1', resolve))
  afterAll(() => stubbed.close())
  // A server that listens on TCP has such an address.
  return `http://127.0.0.1:${(stubbed.address() as AddressInfo).port}`
}

test('a list of several pages is read to its end', async () => {
  const object = (key: string) =>
    `<Contents><Key>tickets/${key}</Key><LastModified>2026-11-20T10:00:00.000Z</LastModified></Contents>`
  const endpoint = await stub(({ url = '' }, answer) => {
    const { searchParams } = new URL(url, 'http://x')
    if (searchParams.get('prefix') !== 'tickets/') return void answer.end('<R></R>')
    answer.end(
      searchParams.get('continuation-token') === 'a+b='
        ? `<R>${object('second-page')}</R>`
        : `<R>${object('first-page')}<NextContinuationToken>a+b=</NextContinuationToken></R>`,
    )
  })
  const paged = await s3Storage({ ...bucket, endpoint }, path.join(folder, 'paged'))
  const listed: unknown[] = []
  for await (const one of paged.list()) listed.push(one)
  const writtenAt = new Date('2026-11-20T10:00:00Z')
  expect(listed).toEqual([
    { key: 'first-page', writtenAt },
    { key: 'second-page', writtenAt },
  ])
})

test.each([
  [507, 507, 'storage_full'],
  [403, 503, 'storage_unavailable'],
] as const)('a host that answers %s is a refusal of %s', async (status, refused, code) => {
  const endpoint = await stub((_, answer) => answer.writeHead(status).end())
  const failing = await s3Storage({ ...bucket, endpoint }, path.join(folder, 'failing'))
  const error: unknown = await failing.keep('never-kept', await arrived('x')).catch((one: unknown) => one)
  expect(storageProblem(error)).toMatchObject({ status: refused, code })
})

test('a wrong secret key stores nothing, and appears in no error', async () => {
  const other = await s3Storage({ ...bucket, secretAccessKey: 'wrong' }, path.join(folder, 'other'))
  const file = await arrived('x')
  const refused = await other.keep('refused-key', file).catch((error: Error) => error.message)
  expect(refused).toBe('The storage answered 403 to PUT.')
})

test.each([
  ['<Status>Enabled</Status>', true],
  ['<Status>Suspended</Status>', false],
  ['', false],
])('a bucket whose versioning is "%s" keeps versions: %s', async (status, keeps) => {
  const asked: string[] = []
  const endpoint = await stub(({ url = '' }, answer) => {
    asked.push(url)
    answer.end(`<VersioningConfiguration>${status}</VersioningConfiguration>`)
  })
  const versioned = await s3Storage({ ...bucket, endpoint }, path.join(folder, 'versioned'))
  expect(await versioned.keepsVersions()).toBe(keeps)
  expect(asked).toEqual(['/portico-files?versioning'])
})
