import { isDeepStrictEqual } from 'node:util'
import { keyRing } from '../../api/src/identity/sessions/signing-keys.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { freePort, serverProcess } from './load.ts'
import { get, type Running, tokenSecret, urlOf } from './portal.ts'

/** Starts the bare server; it returns `countries` as given, and formats a person like `user`. */
export async function startLimit(
  connection: Connection,
  { countries = '', user = '' }: { countries?: string; user?: string },
): Promise<Running> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    BENCH_DATABASE: urlOf(connection),
    BENCH_TOKEN_KEY: keyRing(tokenSecret)[0].accessToken.export().toString('base64url'),
    BENCH_CLIENT: '1',
    BENCH_COUNTRIES: Buffer.from(countries).toString('base64'),
    BENCH_USER: Buffer.from(user).toString('base64'),
  }
  return { url, process: await serverProcess('servers/limit.ts', env, url) }
}

function documentOf(text: string): unknown {
  const document: { included: { id: string }[] } = JSON.parse(text)
  document.included.sort((a, b) => Number(a.id) - Number(b.id))
  return document
}

/** Throws unless both return the same document, in any order of its included resources. */
export async function sameAnswer(
  portal: Running,
  limit: Running,
  address: string,
  token: string,
): Promise<void> {
  const [ours, theirs] = await Promise.all([portal, limit].map(({ url }) => get(`${url}${address}`, token)))
  if (!isDeepStrictEqual(documentOf(ours ?? ''), documentOf(theirs ?? '')))
    throw new Error(
      `The portal and the bare server answer ${address} differently: fix bench/servers/limit.ts.`,
    )
}
