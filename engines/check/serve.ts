import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll } from 'vitest'
import { checkEngine } from './run.ts'

// Serves engines for the tests of the check.

export const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

/** The servers to stop when the file ends. */
export const closing: (() => unknown)[] = []

afterAll(() => {
  for (const close of closing) close()
})

type Asked = {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string | undefined>
  readonly body: string
}
type Answer = { readonly status: number; readonly body?: unknown }
type Engine = { handle(asked: Asked): Answer; enter(token: string): Answer }

/** The parts of an engine. */
export type Parts = { secrets: readonly string[]; url: () => string; report: (event: object) => void }

/** Serves an engine on a free port; returns where. */
export async function serve(make: (parts: Parts) => Engine): Promise<string> {
  let url = ''
  const engine = make({ secrets: [secret], url: () => url, report: () => undefined })
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const token = /token=([\w-]+)/.exec(target)?.[1]
    const body = Buffer.concat(chunks).toString()
    // None of the headers that the engine reads comes twice.
    const asked = { method, target, body, headers: headers as Asked['headers'] }
    const answer: Answer = token === undefined ? engine.handle(asked) : engine.enter(token)
    response.writeHead(answer.status).end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return url
}

/** The names of the checks that an engine fails. */
export async function failures(make: (parts: Parts) => Engine): Promise<string[]> {
  const outcomes = await checkEngine({ url: await serve(make), secret })
  return outcomes.filter(({ state }) => state === 'failed').map(({ name }) => name)
}
