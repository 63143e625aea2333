import { setTimeout as sleep } from 'node:timers/promises'
import { assert, type Check, listedOf } from './check.ts'
import { type Answer, actor, type Client, expectStatus } from './client.ts'
import { listed } from './since-1-1.ts'

/** A restart is told to the second. */
const tickMs = 1100

/** The servers with the times since when they run, and all other things by name. */
async function contents(client: Client, id: string, kinds: readonly Parameters<typeof listedOf>[2][]) {
  const lists = await Promise.all(kinds.map((kind) => listedOf(client, id, kind)))
  const things = lists
    .flat()
    .map((one) => `${one.kind} ${one.id}${one.kind === 'server' ? ` ${one.spec.up_since ?? ''}` : ''}`)
  return things.toSorted().join(', ')
}

/**
 * The check of an account from before the portal, which an author makes in the engine beforehand: it is adopted
 * by one and by no other, goes on unchanged, and is nobody's again.
 */
export function adoption(id: string): Check {
  return {
    name: `the panel ${id}, which is nobody's, is adopted without a restart, and released`,
    needs: 'adopt',
    run: async (client, { kinds }) => {
      const account = async () => (await listed(client)).find((one) => one.id === id)
      const before = await account()
      assert(before !== undefined, 'it is not in the list of panels')
      assert(before.panel_id === null, `it has the panel_id ${before.panel_id}`)
      const held = await contents(client, id, kinds)
      const [mine, other] = [client.newPanel(), client.newPanel()]
      const adopt = ({ panel_id, name, owner }: typeof mine): Promise<Answer> =>
        client.send({
          method: 'POST',
          path: client.at(id, '/adopt'),
          body: { panel_id, name, owner, actor },
        })
      const release = (by: number) =>
        client.send({ method: 'POST', path: client.at(id, '/release'), body: { panel_id: by, actor } })
      try {
        for (const _ of [1, 2]) expectStatus(await adopt(mine), [200], 'adopting')
        expectStatus(await adopt(other), [409], 'adopting what was adopted')
        const now = await client.read(id)
        assert(now.panel_id === mine.panel_id, `panel_id is ${now.panel_id}, not ${mine.panel_id}`)
        assert(now.status === before.status, `the status became ${now.status}`)
        await sleep(tickMs)
        const holds = await contents(client, id, kinds)
        assert(holds === held, `it held ${held || 'nothing'}, and now holds ${holds || 'nothing'}`)
        for (const _ of [1, 2]) expectStatus(await release(mine.panel_id), [200, 204], 'releasing')
      } finally {
        // The account is returned even if a faulty engine gave it to another panel.
        for (const { panel_id } of [mine, other]) await release(panel_id)
      }
      assert((await account())?.panel_id === null, 'after its release it still has an owner')
    },
  }
}
