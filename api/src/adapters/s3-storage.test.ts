import fs from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary.ts'
import { s3Storage } from './s3-storage.ts'

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
  // What was not read to its end keeps its connection.
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
  expect(await text(await storage.read('0b1c2d3e-key'))).toBe('ceva ș')
  await storage.remove('0b1c2d3e-key')
  await storage.remove('0b1c2d3e-key')
  await expect(storage.read('0b1c2d3e-key')).rejects.toThrow('404')
})

test('a large file goes through whole', async () => {
  const content = Buffer.alloc(10 * 1_048_576, 'abcdefg')
  await storage.keep('large-file-key', await arrived(content))
  const chunks: Buffer[] = []
  for await (const chunk of await storage.read('large-file-key')) chunks.push(Buffer.from(chunk))
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
})

test('a key that is not known keeps nothing, and is told nowhere', async () => {
  const other = await s3Storage({ ...bucket, secretAccessKey: 'wrong' }, path.join(folder, 'other'))
  const file = await arrived('x')
  const refused = await other.keep('refused-key', file).catch((error: Error) => error.message)
  expect(refused).toBe('The storage answered 403 to PUT.')
})
