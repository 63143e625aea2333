import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { Pool } from '../../api/src/platform/db/pool.ts'
import { sign } from '../../api/src/platform/webhook-signature.ts'
import { receiveUsage } from '../../api/src/usage/ingest.ts'
import { dayOf, eventsOf, messagesOf } from './events.ts'
import type { Portal } from './portal.ts'
import type { MeteredEngine } from './usage.ts'

/** A message to send, by its engine. */
export type Message = { readonly engine: MeteredEngine; readonly body: string }

export type Taken = { readonly took: number; readonly accepted: number }

type Taker = (message: Message) => Promise<{ accepted: number }>

/** Sends all messages with so many concurrent senders. */
async function drain(messages: readonly Message[], senders: number, take: Taker): Promise<Taken> {
  let accepted = 0
  const waiting = [...messages].reverse()
  const begun = performance.now()
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const receipt = await take(next)
      accepted += receipt.accepted
    }
  }
  await Promise.all(Array.from({ length: senders }, one))
  return { took: (performance.now() - begun) / 1000, accepted }
}

async function post(portal: Portal, { engine, body }: Message): Promise<{ accepted: number }> {
  const headers = {
    ...sign([engine.secret], body),
    'content-type': 'application/cloudevents-batch+json',
    'webhook-engine': engine.code,
  }
  const once = () => fetch(`${portal.url}/engine/v1/usage`, { method: 'POST', headers, body })
  // An idle connection may just be closing; sending the same message again gives the same answer.
  const answer = await once().catch(once)
  const receipt: { accepted: number } = JSON.parse(await answer.text())
  if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(receipt)}`)
  return receipt
}

/** Sends messages to the portal as engines do: signed, over HTTP; rating runs in the background. */
export const overHttp = (portal: Portal, messages: readonly Message[], senders: number): Promise<Taken> =>
  drain(messages, senders, (message) => post(portal, message))

let sent = 0

/**
 * Hands messages to the service in this process: parsed, deduplicated, summed, committed; without HTTP and
 * rating.
 */
export const byService = (pool: Pool, messages: readonly Message[], senders: number): Promise<Taken> =>
  drain(messages, senders, async ({ engine, body }) => {
    const bytes = Buffer.from(body)
    const about = { engineId: engine.id, id: `service-${++sent}`, body: bytes, strict: false }
    return JSON.parse(
      await receiveUsage(pool.kysely, { ...about, events: JSON.parse(bytes.toString()) }, new Date()),
    )
  })

async function allRated(pool: Pool): Promise<void> {
  for (let left = true; left; await sleep(100)) {
    const { rows } = await sql<{ left: boolean }>`
      select exists (select from usage_meter_days where dirty) as left`.execute(pool.kysely)
    left = rows[0]?.left ?? false
  }
}

/**
 * Milliseconds from an accepted event until it shows in its client's cost of the day, one after another, in
 * rounds of probes, while messages arrive at a steady rate; the backlog is rated first. Also returns the
 * events per second that were accepted meanwhile.
 */
export async function visible(
  connection: Connection,
  portal: Portal,
  {
    probes,
    messages,
    perSecond,
  }: { probes: readonly MeteredEngine[]; messages: readonly Message[]; perSecond: number },
): Promise<{ times: number[]; rate: number }> {
  const pool = new Pool(connection, 1, () => undefined)
  await allRated(pool)
  const begun = performance.now()
  let done = false
  let accepted = 0
  const pace = async () => {
    const running: Promise<void>[] = []
    for (const [at, message] of messages.entries()) {
      await sleep(Math.max(0, begun + (at * 1000) / perSecond - performance.now()))
      running.push(
        post(portal, message).then((receipt) => {
          accepted += receipt.accepted
        }),
      )
    }
    await Promise.all(running)
    done = true
  }
  const rated = async (probe: MeteredEngine) => {
    const { rows } = await sql<{
      rated: string
    }>`select coalesce(sum(rated_amount), 0) as rated from usage_panel_days
      where panel_id = ${probe.panels[0] ?? 0}`.execute(pool.kysely)
    return rows[0]?.rated
  }
  const times: number[] = []
  const look = async () => {
    for (let i = 0; !done; i++) {
      const probe = probes[i % probes.length]
      if (!probe) throw new Error('There is no probe.')
      const [body = ''] = messagesOf(eventsOf(`probe${i}`, probe, 1), dayOf(0))
      const before = await rated(probe)
      await post(portal, { engine: probe, body })
      const answered = performance.now()
      while ((await rated(probe)) === before) await sleep(5)
      times.push(performance.now() - answered)
      await sleep(100)
    }
  }
  await Promise.all([pace(), look()])
  await pool.close()
  return { times: times.sort((a, b) => a - b), rate: accepted / ((performance.now() - begun) / 1000) }
}
