import { sign } from '../../example/signature.ts'
import { readSettings } from '../settings.ts'

// The portal's side of a call, for programs that try a real engine.

export type Answer = { readonly status: number; readonly body: Record<string, unknown> }

export const settings = readSettings(process.env)

let open = new AbortController()

/** Breaks off every call that waits for its answer, as a portal does that is killed. */
export function breakOff(): void {
  open.abort()
  open = new AbortController()
}

/** Asks the engine of this machine; undefined when it does not answer. */
export async function ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { ...sign(settings.secrets[0] ?? '', text ?? `${method} ${path}`) }
  const signal = AbortSignal.any([open.signal, AbortSignal.timeout(10_000)])
  try {
    const init = { method, headers, signal, ...(text !== undefined && { body: text }) }
    const answer = await fetch(`http://127.0.0.1:${settings.port}${path}`, init)
    const said = await answer.text()
    return { status: answer.status, body: said === '' ? {} : JSON.parse(said) }
  } catch {
    return undefined
  }
}
