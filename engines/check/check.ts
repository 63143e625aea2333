import {
  type EngineCapabilities,
  firstResourcePage,
  resourcePage,
  type WireResource,
} from '@portico/contract/engine/wire.ts'
import { type Client, expectStatus, readAs } from './client.ts'

type Word =
  | 'suspend'
  | 'sso'
  | 'usage'
  | 'check'
  | 'change_plan'
  | 'list'
  | 'adopt'
  | 'plan_details'
  | 'domain'
  | 'power'
  | 'series'
  | 'audit'

/** One promise of the contract. `needs`: the capability without which there is nothing to check. */
export type Check = {
  readonly name: string
  readonly needs?: Word
  readonly run: (client: Client, capabilities: EngineCapabilities) => Promise<void>
}

/** Thrown where an engine has nothing that a promise could be tried on. */
export class NothingToCheck extends Error {
  override readonly name = 'NothingToCheck'
}

export function assert(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** Whether an engine offers what a check needs. */
export function offers(capabilities: EngineCapabilities, needs: Word): boolean {
  switch (needs) {
    case 'usage':
      return capabilities.usage === 'push'
    case 'domain':
      return (
        (capabilities.domain ?? 'none') !== 'none' ||
        (capabilities.plan_details ?? []).some(({ domain }) => domain !== 'none')
      )
    case 'power':
      return (capabilities.power ?? []).length > 0
    case 'plan_details':
      return (capabilities.plan_details ?? []).length > 0
    case 'suspend':
    case 'sso':
    case 'check':
    case 'change_plan':
    case 'list':
    case 'adopt':
    case 'series':
    case 'audit':
      return capabilities[needs] === true
  }
}

/** All resources of a kind, page by page. */
export async function listedOf(client: Client, id: string, kind: string): Promise<WireResource[]> {
  const found: WireResource[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    assert(pages < 200, `the pages of ${kind} do not end`)
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await client.send({ path: client.at(id, `/resources?kind=${kind}${more}`) })
    expectStatus(answer, [200], `listing ${kind}`)
    const page = readAs(client.later ? resourcePage : firstResourcePage, answer, `listing ${kind}`)
    assert(
      page.items.every((item) => item.kind === kind),
      `among ${kind} there is something else`,
    )
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

/** The same, only the ids. */
export const walk = async (client: Client, id: string, kind: string): Promise<string[]> =>
  (await listedOf(client, id, kind)).map((item) => item.id)
