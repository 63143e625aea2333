import type { Fields } from './offers.ts'
import { type Panel, resourcesOf } from './panel.ts'
import { refusal } from './refusal.ts'

export const verbs = ['start', 'stop', 'restart'] as const
export type Verb = (typeof verbs)[number]

export const isVerb = (value: unknown): value is Verb => verbs.some((one) => one === value)

/** The place of a server in its panel. Throws `not_found`. */
export function serverOf(panel: Panel, id: string): number {
  const place = resourcesOf(panel, 'server').findIndex((one) => one.id === id)
  if (place < 0) throw refusal(404, 'not_found', 'There is no such server.')
  return place
}

const off: Fields = { cpu_percent: 0, memory_used_gb: 0, up_since: null, power: ['start'] }
const on = (): Fields => ({
  cpu_percent: 12.5,
  memory_used_gb: 1.5,
  up_since: new Date().toISOString(),
  power: ['stop', 'restart'],
})

/** Starts, stops or restarts a server; starting what runs changes nothing. */
export function switchPower({ holds }: Panel, place: number, action: Verb): void {
  const server = holds.server?.[place]
  if (!server) return
  const runs = server.status !== 'stopped'
  if (action === 'start' && runs) return
  const spec = { ...Object(server.spec), ...(action === 'stop' ? off : on()) }
  Object.assign(server, { status: action === 'stop' ? 'stopped' : 'running', spec })
}
