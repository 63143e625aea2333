import { openAsBlob } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { minuteMs } from '@portico/contract/time.ts'
import { AwsClient } from 'aws4fetch'
import { type FileStorage, removeOlder } from './file-storage.ts'
import { usageKeyAt, usagePlaceOf, usagePlaces } from './places.ts'

/** A bucket of an S3-compatible host: Amazon, MinIO, Ceph and the like. It must be private. */
export type Bucket = {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Allows for a large file over a slow line, and ends before the job that waits for it. */
const patienceMs = minuteMs

const insufficientStorage = 507

const prefix = 'tickets/'
const placeOf = (key: string) => `/${usagePlaceOf(key) ?? `${prefix}${key}`}`
/** The key of an object; undefined for one that the portal did not write. */
const keyAt = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : usageKeyAt(name))

/** A failure with the error code of a local disk. */
const failure = (code: 'ENOSPC' | 'EIO', message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code })

const inTag = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]

/** Reads the pages of ListObjectsV2. Keys are letters, digits and dashes, so they need no escaping. */
async function* objectsIn(ask: (query: string) => Promise<string>, within: string) {
  let token: string | undefined
  do {
    const more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`
    const page = await ask(`?list-type=2&prefix=${encodeURIComponent(within)}${more}`)
    for (const [object] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
      const key = keyAt(inTag(object, 'Key') ?? '')
      const written = inTag(object, 'LastModified') ?? ''
      if (key !== undefined) yield { key, writtenAt: new Date(written) }
    }
    token = inTag(page, 'NextContinuationToken')
  } while (token !== undefined)
}

/**
 * Stores files in a bucket with path-style addresses, which every host supports. The host never learns a
 * file's name.
 */
export async function s3Storage(bucket: Bucket, temporary: string): Promise<FileStorage> {
  const incoming = path.join(temporary, 'incoming')
  await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
  const client = new AwsClient({ ...bucket, service: 's3', retries: 2 })
  const root = `${bucket.endpoint}/${encodeURIComponent(bucket.bucket)}`
  const ask = async (place: string, init: RequestInit, good: readonly number[]): Promise<Response> => {
    const signal = AbortSignal.timeout(patienceMs)
    const answer = await client.fetch(root + place, { ...init, signal }).catch((cause: unknown) => {
      throw failure('EIO', `The storage did not answer to ${init.method}.`, cause)
    })
    if (good.includes(answer.status)) return answer
    await answer.body?.cancel()
    const code = answer.status === insufficientStorage ? 'ENOSPC' : 'EIO'
    throw failure(code, `The storage answered ${answer.status} to ${init.method}.`)
  }
  return {
    incoming,
    keep: async (key, file) => {
      // The blob of a file is streamed, and its length is known in advance.
      const body = await openAsBlob(file)
      const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': String(body.size) }
      await ask(placeOf(key), { method: 'PUT', body, headers }, [200])
      await fs.rm(file, { force: true })
    },
    read: async (key) => {
      const { status, body } = await ask(placeOf(key), { method: 'GET' }, [200, 404])
      if (status === 404) {
        await body?.cancel()
        return null
      }
      // The types of fetch and of Node name the same streams differently.
      return body === null ? Readable.from([]) : Readable.fromWeb(body as never)
    },
    remove: async (key) => {
      await ask(placeOf(key), { method: 'DELETE' }, [200, 204, 404])
    },
    list: async function* () {
      const page = async (query: string) => (await ask(query, { method: 'GET' }, [200])).text()
      yield* objectsIn(page, prefix)
      yield* objectsIn(page, usagePlaces)
    },
    sweepIncoming: (before) => removeOlder(incoming, before),
    keepsVersions: async () => {
      const answer = await ask('?versioning', { method: 'GET' }, [200])
      return inTag(await answer.text(), 'Status') === 'Enabled'
    },
  }
}
