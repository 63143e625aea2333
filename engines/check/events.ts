import { once } from 'node:events'
import { createServer } from 'node:http'
import { engineEvent, engineEvents } from '@portico/contract/engine/wire.ts'
import * as z from 'zod/mini'
import { isGenuine } from '../example/signature.ts'
import type { Check } from './checks.ts'

type Message = { readonly body: string; readonly headers: Record<string, string | undefined> }

const patienceMs = 10_000

/** What is wrong with a message, by the contract. */
function faultOf({ body, headers }: Message, secret: string): string | undefined {
  if (!isGenuine([secret], body, headers)) return 'a message is not signed as it should be'
  if (!headers['webhook-engine']) return 'a message does not say whose it is (webhook-engine)'
  const message = z.safeParse(engineEvents, JSON.parse(body))
  if (!message.success) return 'a message is not a list of events'
  for (const event of message.data.events) {
    const result = z.safeParse(engineEvent, event)
    if (!result.success) return `an event is not in the contract: ${result.error.issues[0]?.message}`
  }
  return undefined
}

function tellsOf(body: string, panel: string): boolean {
  const message = z.safeParse(engineEvents, JSON.parse(body))
  const events = message.success ? message.data.events : []
  return events.some((event) => z.safeParse(engineEvent, event).data?.panel === panel)
}

/**
 * Stands in for the portal on a port, for an engine that is set to tell its events there: hears whether it does, and
 * whether they are signed.
 */
export async function eventCheck(port: number, secret: string): Promise<{ check: Check; close: () => void }> {
  const heard: Message[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // None of the signed headers may come twice.
    const headers = request.headers as Record<string, string | undefined>
    if (request.url === '/engine/v1/events') heard.push({ body: Buffer.concat(chunks).toString(), headers })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"accepted":1,"outdated":0,"errors":[]}')
  })
  server.listen(port)
  await once(server, 'listening')
  const run: Check['run'] = async (client) => {
    const { id } = await client.panel()
    const until = Date.now() + patienceMs
    while (!heard.some(({ body }) => tellsOf(body, id))) {
      if (Date.now() > until) throw new Error(`nothing was told of a new panel within ${patienceMs / 1000} s`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const fault = heard.map((message) => faultOf(message, secret)).find((one) => one !== undefined)
    if (fault !== undefined) throw new Error(fault)
  }
  return {
    check: { name: 'events are told, signed, in the words of the contract', run },
    close: () => server.close(),
  }
}
