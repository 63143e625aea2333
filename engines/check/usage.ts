import { usageEvent, usageEvents, watermark } from '@portico/contract/engine/usage.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import { isGenuine } from '../example/signature.ts'

/** A message from an engine to the portal. */
export type Message = {
  readonly path: string
  readonly body: string
  readonly headers: Record<string, string | undefined>
}

const dayMs = 86_400_000

/** The envelope fault of a message, independent of its content, if any. */
export function envelopeFault({ body, headers }: Message, secret: string): string | undefined {
  if (!isGenuine([secret], body, headers)) return 'a message is not signed as it should be'
  if (!headers['webhook-engine']) return 'a message does not say whose it is (webhook-engine)'
  return undefined
}

function listOf(body: string): unknown[] {
  return z.safeParse(usageEvents, JSON.parse(body)).data ?? []
}

function eventFault(event: unknown): string | undefined {
  const result = z.safeParse(usageEvent, event)
  if (!result.success) {
    const [issue] = result.error.issues
    return `an event is not in the contract: ${issue?.path.map(String).join('.')}: ${faultInWords(issue?.message ?? '', 'en')}`
  }
  const [start, end] = [Date.parse(result.data.data.start), Date.parse(result.data.data.end)]
  if (end <= start) return `the interval of ${result.data.id} does not end after its start`
  if (end > (Math.floor(start / dayMs) + 1) * dayMs)
    return `the interval of ${result.data.id} crosses midnight`
  return undefined
}

/** The contract fault of a usage message, if any. */
export function usageFault(message: Message, secret: string): string | undefined {
  const fault = envelopeFault(message, secret)
  if (fault !== undefined) return fault
  if (message.path === '/engine/v1/watermark')
    return z.safeParse(watermark, JSON.parse(message.body)).success
      ? undefined
      : 'a watermark is not in the contract'
  const type = message.headers['content-type'] ?? ''
  if (!/^application\/cloudevents-batch\+json(;|$)/.test(type)) return `usage comes as ${type || 'no type'}`
  const events = listOf(message.body)
  if (events.length === 0) return 'a message of usage is not a list of 1 to 5000 events'
  return events.map(eventFault).find((one) => one !== undefined)
}

/** Whether a message reports usage of a panel, by the portal's id of it. */
export const reportsUsage = ({ path, body }: Message, panel: number): boolean =>
  path === '/engine/v1/usage' &&
  listOf(body).some((event) => z.safeParse(usageEvent, event).data?.subject === `panel/${panel}`)

/** The fault in how a rejected message was repeated, if any. */
export function repeatFault(first: Message, again: Message): string | undefined {
  if (first.headers['webhook-id'] !== again.headers['webhook-id'])
    return 'a message that was not taken came again under another webhook-id'
  return first.body === again.body ? undefined : 'a message that was not taken came again with other events'
}
