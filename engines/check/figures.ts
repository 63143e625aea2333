import type { EngineCapabilities, WireResource } from '@portico/contract/engine/wire.ts'
import { assert, type Check, listedOf, NothingToCheck } from './check.ts'
import type { Client } from './client.ts'

// Checks of what engines of contract 1.1 say of a panel and of what is in it.

/** The tolerated lead of an engine's clock, in milliseconds. */
const aheadMs = 300_000

const isPast = (moment: string) => Date.parse(moment) <= Date.now() + aheadMs

/** A new panel and what is in it. */
async function filled(client: Client, { kinds }: EngineCapabilities) {
  if (!client.later) throw new NothingToCheck('the engine speaks 1.0')
  const panel = await client.panel()
  const all: WireResource[] = []
  for (const kind of kinds) all.push(...(await listedOf(client, panel.id, kind)))
  return { panel, all }
}

type Spec<K extends WireResource['kind']> = Extract<WireResource, { kind: K }>['spec']

function ofServer(name: string, { memory_gb, disk_gb, ...spec }: Spec<'server'>): boolean {
  const { memory_used_gb: memory, disk_used_gb: disk, up_since: up } = spec
  if (memory == null && disk == null && up == null) return false
  assert((memory ?? 0) <= memory_gb, `${name} uses ${memory} of ${memory_gb} GB of memory`)
  assert((disk ?? 0) <= disk_gb, `${name} uses ${disk} of ${disk_gb} GB of disk`)
  assert(up == null || isPast(up), `${name} runs since ${up}, which is not yet`)
  return true
}

function ofDomain(name: string, { certificate, tls_expires_on: day }: Spec<'domain'>): boolean {
  if (!certificate) return false
  const ends = certificate.expires_at.slice(0, 10)
  assert(ends === day, `the certificate of ${name} ends on ${ends}, and tls_expires_on is ${day}`)
  return true
}

export const figures: readonly Check[] = [
  {
    name: 'a panel was made by now, is made whole, and its sign-in page opens',
    run: async (client, capabilities) => {
      const { panel } = await filled(client, capabilities)
      const { created_at: made, progress, login_url: page } = panel
      if (made == null && progress == null && page == null) throw new NothingToCheck('it says none of it')
      assert(made == null || isPast(made), `it was made at ${made}, which is not yet`)
      assert((progress ?? 100) === 100, `it is ${panel.status}, and ${progress} % of it is made`)
      if (page == null) return
      const opened = await client.open(page)
      assert(opened < 400, `the sign-in page was answered ${opened}`)
    },
  },
  {
    name: 'a reason names what is in the panel, and has begun',
    run: async (client, capabilities) => {
      const { panel, all } = await filled(client, capabilities)
      const said = [...(panel.reasons ?? []), ...all.flatMap(({ reasons = [] }) => reasons)]
      if (said.length === 0) throw new NothingToCheck('a new panel has none')
      const there = all.map(({ kind, id }) => `${kind}/${id}`)
      for (const { code, since, resource } of said) {
        assert(
          resource == null || there.includes(resource),
          `${code} is about ${resource}, which is not there`,
        )
        assert(isPast(since), `${code} is since ${since}, which is not yet`)
      }
    },
  },
  {
    name: 'what a server uses fits into what it has, and the days of a certificate agree',
    run: async (client, capabilities) => {
      const { all } = await filled(client, capabilities)
      const told = all.filter((one) => {
        if (one.kind === 'server') return ofServer(one.name, one.spec)
        return one.kind === 'domain' && ofDomain(one.name, one.spec)
      })
      if (told.length === 0) throw new NothingToCheck('it says neither')
    },
  },
]
