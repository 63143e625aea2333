import { openAsBlob } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { FileStorage } from './file-storage.ts'

/** A bucket of a host that speaks S3: Amazon's, MinIO, Ceph and the like. It is to be private. */
export type Bucket = {
  /** Scheme, host and port. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A large file over a slow line takes its time; a host that hangs is given up before the job that asked is. */
const patienceMs = 60_000

/** Files in a bucket, addressed by path, which every host understands. Nothing of a file's name is told to the host. */
export async function s3Storage(bucket: Bucket, temporary: string): Promise<FileStorage> {
  const incoming = path.join(temporary, 'incoming')
  await fs.mkdir(incoming, { recursive: true, mode: 0o700 })
  const client = new AwsClient({ ...bucket, service: 's3', retries: 2 })
  const ask = async (key: string, init: RequestInit, good: readonly number[]): Promise<Response> => {
    const url = `${bucket.endpoint}/${encodeURIComponent(bucket.bucket)}/tickets/${key}`
    const answer = await client.fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    if (good.includes(answer.status)) return answer
    await answer.body?.cancel()
    throw new Error(`The storage answered ${answer.status} to ${init.method}.`)
  }
  return {
    incoming,
    keep: async (key, file) => {
      // A blob of the file is sent as it is read; its length is known before.
      const body = await openAsBlob(file)
      const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'content-length': String(body.size) }
      await ask(key, { method: 'PUT', body, headers }, [200])
      await fs.rm(file, { force: true })
    },
    read: async (key) => {
      const { body } = await ask(key, { method: 'GET' }, [200])
      // The types of fetch and of Node name the same streams differently.
      return body === null ? Readable.from([]) : Readable.fromWeb(body as never)
    },
    remove: async (key) => {
      await ask(key, { method: 'DELETE' }, [200, 204, 404])
    },
  }
}
