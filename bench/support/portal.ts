import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { freePort, serverProcess } from './load.ts'

/** The password of every account of a bench. */
export const password = 'a bench of its own'
export const tokenSecret = 'only for the bench: thirty-two characters and more'

const root = path.resolve(import.meta.dirname, '../..')

/** A server of the bench. */
export type Running = { readonly url: string; readonly process: ChildProcess }
export type Portal = Running

export function urlOf(connection: Connection): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const { user = '', password: secret = '', host = '', port = 5432, database } = connection
  return `postgres://${user}:${encodeURIComponent(secret)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** The flags that `npm start` gives to Node, so that the same configuration is measured. */
export function startFlags(): string[] {
  const file = new URL('../../package.json', import.meta.url)
  const { scripts }: { scripts: { start: string } } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** Which portal to start: the one of this checkout on a free port, if not named. */
type Which = { readonly port?: number; readonly checkout?: string }

/**
 * The portal in production mode, on a database of the bench. Replicas share one `PUBLIC_URL`, which tokens
 * name.
 */
export async function startPortal(
  connection: Connection,
  variables: Readonly<Record<string, string>> = {},
  which: Which = {},
): Promise<Portal> {
  const port = which.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: urlOf(connection),
    SEED: 'none',
    RATE_LIMIT_SCALE: '100000',
    TOKEN_SECRET: tokenSecret,
    ...variables,
  }
  const file = path.join(which.checkout ?? root, 'api/start.mjs')
  return { url, process: await serverProcess(file, env, `${url}/readyz`, startFlags()) }
}

/** The body of a GET that must return 200. */
export async function get(url: string, token: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.text()
}

/** Signs in over HTTP as a program does, and returns the access token. */
export async function signIn(portal: Pick<Portal, 'url'>, email: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-portico-client': 'api' }
  const body = JSON.stringify({ email, password })
  const login = await fetch(`${portal.url}/auth/login`, { method: 'POST', headers, body })
  if (login.status !== 200) throw new Error(`Sign-in failed with ${login.status}: ${await login.text()}`)
  const { code }: { code: string } = await login.json()
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const callback = await fetch(`${portal.url}/auth/callback?code=${code}`, {
    headers: { ...headers, cookie },
  })
  const { token }: { token: string } = await callback.json()
  if (!token) throw new Error(`Sign-in failed with ${callback.status}`)
  return token
}

/** Resets the peak memory of a process, so that the next peak is only of later work. */
export function resetPeak({ pid }: ChildProcess): void {
  fs.writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The peak memory of a process since its start or the last `resetPeak`, in MiB. */
export function peakMemory({ pid }: ChildProcess): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** The processor seconds of a process, on all cores. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may contain spaces, user and system time are the twelfth and thirteenth fields, in
  // hundredths.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
