import { keyRing } from '../../api/src/identity/sessions/signing-keys.ts'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { freePort, serverProcess } from './load.ts'
import { type Running, tokenSecret, urlOf } from './portal.ts'

/** Starts the bare server; it answers `countries` as it is given, and shapes a person as `user` is shaped. */
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
  const child = await serverProcess('servers/limit.ts', env, url)
  process.once('exit', () => child.kill())
  return { url, process: child }
}
