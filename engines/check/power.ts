import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PowerVerb } from '@portico/contract/engine/reasons.ts'
import { engineResource, type WireResource } from '@portico/contract/engine/wire.ts'
import { assert, type Check, listedOf, NothingToCheck } from './check.ts'
import { type Answer, actor, type Client, expectStatus, readAs } from './client.ts'

// Checks of the power of servers, since contract 1.1.

const showMs = 60_000
/** A start is told to the second at least. */
const tickMs = 1100

type Server = Extract<WireResource, { kind: 'server' }>
type Of = { readonly client: Client; readonly panel: string; readonly server: string }

function ask({ client, panel, server }: Of, action: PowerVerb, request_id: string): Promise<Answer> {
  const path = client.at(panel, `/servers/${encodeURIComponent(server)}/power`)
  return client.send({ method: 'POST', path, body: { action, force: false, request_id, actor } })
}

/** The server as its panel lists it. */
async function read({ client, panel, server }: Of): Promise<Server> {
  const found = (await listedOf(client, panel, 'server')).find(({ id }) => id === server)
  if (found?.kind !== 'server') throw new Error(`the server ${server} is not listed any more`)
  return found
}

async function until(of: Of, met: (server: Server) => boolean, otherwise: string): Promise<Server> {
  for (const end = Date.now() + showMs; ; await sleep(500)) {
    const server = await read(of)
    if (met(server)) return server
    assert(Date.now() < end, otherwise)
  }
}

/** Asks and waits until the server shows it. */
async function turn(of: Of, action: PowerVerb, request_id: string = randomUUID()): Promise<Server> {
  const answer = await ask(of, action, request_id)
  expectStatus(answer, [200, 202], action)
  if (answer.status === 200) {
    const said = readAs(engineResource, answer, action)
    assert(said.kind === 'server' && said.id === of.server, `${action}: the answer is another resource`)
  }
  const stops = action === 'stop'
  return until(of, ({ status }) => (status === 'stopped') === stops, `after ${action} it is not so`)
}

/** A new panel with a server. */
async function panelWithServer(client: Client): Promise<Of> {
  const { id } = await client.panel()
  const [server] = await listedOf(client, id, 'server')
  if (!server) throw new NothingToCheck('a new panel has no server')
  return { client, panel: id, server: server.id }
}

export const power: readonly Check[] = [
  {
    name: 'each power verb does what it says, and again without a fault',
    needs: 'power',
    run: async (client, { power: verbs = [] }) => {
      const of = await panelWithServer(client)
      for (const verb of (['stop', 'start'] as const).filter((one) => verbs.includes(one)))
        for (const _ of [1, 2]) await turn(of, verb)
      const [verb = 'start'] = verbs
      expectStatus(await ask({ ...of, server: 's-that-nobody-has' }, verb, randomUUID()), [404], 'no server')
    },
  },
  {
    name: 'a server restarts once for each request_id',
    needs: 'power',
    run: async (client, { power: verbs = [] }) => {
      if (!verbs.includes('restart')) throw new NothingToCheck('it restarts nothing')
      const of = await panelWithServer(client)
      const { spec } = await read(of)
      if (spec.up_since == null) throw new NothingToCheck('it does not say since when servers run')
      const request = randomUUID()
      await turn(of, 'restart', request)
      const first = await until(of, (one) => one.spec.up_since !== spec.up_since, 'it did not restart')
      await sleep(tickMs)
      await turn(of, 'restart', request)
      const again = await read(of)
      assert(again.spec.up_since === first.spec.up_since, 'a repeated request restarted it again')
      await turn(of, 'restart')
      await until(of, (one) => one.spec.up_since !== first.spec.up_since, 'a new request did not restart it')
    },
  },
  {
    name: 'the power of a suspended panel is refused as 409',
    needs: 'power',
    run: async (client, { suspend, power: verbs = [] }) => {
      if (!suspend) throw new NothingToCheck('it suspends nothing')
      const of = await panelWithServer(client)
      const call = {
        method: 'POST',
        path: client.at(of.panel, '/suspend'),
        body: { reason: 'unpaid' },
      } as const
      expectStatus(await client.send(call), [200, 204], 'suspend')
      for (const verb of verbs) expectStatus(await ask(of, verb, randomUUID()), [409], verb)
    },
  },
]
