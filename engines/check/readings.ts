import { type AuditPage, auditPage, engineSeries, seriesStep } from '@portico/contract/engine/readings.ts'
import { assert, type Check, listedOf, NothingToCheck } from './check.ts'
import { actor, type Client, expectStatus, readAs } from './client.ts'

// Checks of what an engine of contract 1.1 tells while a person looks.

const stepMs = seriesStep * 1000

async function audited(client: Client, panel: string): Promise<AuditPage['items']> {
  const found: AuditPage['items'] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    assert(pages < 500, 'the pages of the audit do not end')
    const more = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const answer = await client.send({ path: client.at(panel, `/audit${more}`) })
    expectStatus(answer, [200], 'the audit')
    const page = readAs(auditPage, answer, 'the audit')
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

export const readings: readonly Check[] = [
  {
    name: 'a series has 288 values of the last day',
    needs: 'series',
    run: async (client, { kinds }) => {
      const { id } = await client.panel()
      const kind = kinds.find((one) => one === 'server' || one === 'cluster')
      const [one] = kind === undefined ? [] : await listedOf(client, id, kind)
      if (!one) throw new NothingToCheck('a new panel has neither a server nor a cluster')
      const at = (resource: string) =>
        client.at(id, `/series?${new URLSearchParams({ kind: one.kind, resource })}`)
      const answer = await client.send({ path: at(one.id) })
      expectStatus(answer, [200], 'the series')
      const { start } = readAs(engineSeries, answer, 'the series')
      const age = Date.now() - Date.parse(start)
      assert(Math.abs(age - 288 * stepMs) < 2 * stepMs, `it begins at ${start}, which is not a day ago`)
      expectStatus(await client.send({ path: at('s-that-nobody-has') }), [404], 'the series of no server')
    },
  },
  {
    name: 'the audit names who has just renamed a panel, newest first, each act once',
    needs: 'audit',
    run: async (client) => {
      const { id } = await client.panel()
      const other = { subject: 'client-2', kind: 'guest' } as const
      for (const [name, by] of [
        ['First', actor],
        ['Second', other],
        ['Third', actor],
      ] as const) {
        const change = { method: 'PATCH', path: client.at(id), body: { name, actor: by } } as const
        expectStatus(await client.send(change), [200, 204], 'renaming')
      }
      const acts = await audited(client, id)
      assert(new Set(acts.map((act) => act.id)).size === acts.length, 'an act is listed twice')
      const times = acts.map(({ at }) => Date.parse(at))
      assert(
        times.every((at, i) => i === 0 || at <= (times[i - 1] ?? 0)),
        'the newest does not come first',
      )
      const [last, before] = acts.map((act) => act.actor)
      const says = JSON.stringify([last?.subject, last?.kind, before?.subject, before?.kind])
      const right = JSON.stringify([actor.subject, actor.kind, other.subject, other.kind])
      assert(says === right, `the last two acts are of ${says}, not of ${right}`)
    },
  },
]
