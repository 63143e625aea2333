import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineEvent, engineEvents } from '@portico/contract/engine/events.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import type { Check } from './check.ts'
import { envelopeFault, type Message, repeatFault, reportsUsage, usageFault } from './usage.ts'

const patienceMs = 10_000
const usagePatienceMs = 150_000

/** The contract fault of an event message, if any. */
function faultOf(message: Message, secret: string): string | undefined {
  const fault = envelopeFault(message, secret)
  if (fault !== undefined) return fault
  const list = z.safeParse(engineEvents, JSON.parse(message.body))
  if (!list.success) return 'a message is not a list of events'
  for (const event of list.data.events) {
    const result = z.safeParse(engineEvent, event)
    if (!result.success)
      return `an event is not in the contract: ${faultInWords(result.error.issues[0]?.message ?? '', 'en')}`
  }
  return undefined
}

function isAbout(body: string, panel: string): boolean {
  const message = z.safeParse(engineEvents, JSON.parse(body))
  const events = message.success ? message.data.events : []
  return events.some((event) => z.safeParse(engineEvent, event).data?.panel === panel)
}

async function until(met: () => boolean, ms: number, otherwise: string): Promise<void> {
  for (const end = Date.now() + ms; !met(); await sleep(100))
    if (Date.now() > end) throw new Error(`${otherwise} within ${ms / 1000} s`)
}

function refuse(faults: readonly (string | undefined)[]): void {
  const fault = faults.find((one) => one !== undefined)
  if (fault !== undefined) throw new Error(fault)
}

/** The messages that the portal's stand-in received, and its answer to the next usage message. */
class Receiver {
  readonly all: Message[] = []
  /** The number of usage messages still to reject, as by an unavailable portal. */
  away = 0

  at = (path: string): Message[] => this.all.filter((message) => message.path === path)

  /** Stores a message; returns the status and the body of the response. */
  receive(message: Message): [number, object] {
    this.all.push(message)
    if (message.path === '/engine/v1/events') return [200, { accepted: 1, outdated: 0, errors: [] }]
    if (message.path === '/engine/v1/watermark') return [200, JSON.parse(message.body)]
    if (message.path !== '/engine/v1/usage') return [404, {}]
    if (this.away > 0) {
      this.away -= 1
      return [503, {}]
    }
    return [202, { accepted: 1, duplicates: 0, rejected: [] }]
  }
}

const eventsReported = (received: Receiver, secret: string): Check => ({
  name: 'events are sent signed and follow the contract',
  run: async (client) => {
    const { id } = await client.panel()
    const events = () => received.at('/engine/v1/events')
    await until(
      () => events().some(({ body }) => isAbout(body, id)),
      patienceMs,
      'no event about a new panel arrived',
    )
    refuse(events().map((message) => faultOf(message, secret)))
  },
})

const usageReported = (received: Receiver, secret: string): Check => ({
  name: 'usage is sent signed, follows the contract, and is sent again unchanged when it was not accepted',
  needs: 'usage',
  run: async (client) => {
    const { panel_id } = await client.panel()
    const from = received.all.length
    received.away = 1
    const usage = () => received.all.slice(from).filter(({ path }) => path === '/engine/v1/usage')
    await until(() => usage().length > 1, usagePatienceMs, 'no rejected usage message was sent again')
    const [first, again] = usage()
    if (first && again) refuse([repeatFault(first, again)])
    await until(
      () => usage().some((message) => reportsUsage(message, panel_id)),
      usagePatienceMs,
      'no usage of a new panel arrived',
    )
    const messages = [...received.at('/engine/v1/usage'), ...received.at('/engine/v1/watermark')]
    refuse(messages.map((message) => usageFault(message, secret)))
  },
})

/**
 * Listens in place of the portal on a port, for an engine that is configured to report there: checks whether
 * it reports events and usage, and whether they conform to the contract.
 */
export async function eventChecks(
  port: number,
  secret: string,
): Promise<{ checks: Check[]; close: () => void }> {
  const received = new Receiver()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // None of the signed headers may be repeated.
    const headers = request.headers as Message['headers']
    const message = { path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers }
    const [status, body] = received.receive(message)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  server.listen(port)
  await once(server, 'listening')
  return {
    checks: [eventsReported(received, secret), usageReported(received, secret)],
    close: () => server.close(),
  }
}
