import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export type RunningIssuer = {
  /** The environment of a portal that signs in with Google through this issuer. */
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/**
 * Starts what stands in for Google: a real issuer with a page of its own, which has a field `Email` and the buttons
 * `Continue` and `Cancel`. An address that signs in for the first time is a new person with a verified e-mail;
 * the prefix `successor-of-` makes another person with the same address.
 */
export async function startIssuer(): Promise<RunningIssuer> {
  const program = path.resolve(import.meta.dirname, '../api/test/support/serve-oidc-issuer.ts')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  // The first line is all that it prints.
  const [line] = await once(child.stdout, 'data')
  const { url, clientId, clientSecret } = JSON.parse(String(line))
  const stop = async () => {
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
  }
  return {
    env: { GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret },
    stop,
  }
}
