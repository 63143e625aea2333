import { engineRefusal, resourceKind } from '@portico/contract/engine/wire.ts'
import { assert, type Check, walk } from './check.ts'
import { type Answer, actor, type Client, expectStatus, readAs, type Sent, visitor } from './client.ts'
import { sinceLater } from './since-1-1.ts'

const nobody = 'p-that-nobody-has'
const elsewhere = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const minutesMs = 60_000

async function refusedAs401(client: Client, signed: NonNullable<Sent['signed']>, about: string) {
  const way = { signed }
  expectStatus(await client.send({ path: '/v1/health', ...way }), [401], `${about}, without a body`)
  const body = client.newPanel()
  expectStatus(await client.send({ method: 'POST', path: '/v1/panels', body, ...way }), [401], about)
}

const signatures: Check[] = [
  {
    name: 'an unsigned call is refused',
    run: (client) => refusedAs401(client, () => ({}), 'no signature'),
  },
  {
    name: 'a signature by another secret is refused',
    run: (client) =>
      refusedAs401(client, (text) => client.signature(text, { secret: elsewhere }), 'another secret'),
  },
  {
    name: 'a signature of another text is refused',
    run: async (client) => {
      await refusedAs401(client, (text) => client.signature(`${text} `), 'a changed text')
      const other = () => client.signature('GET /v1/health')
      const answer = await client.send({ path: client.at(nobody), signed: other })
      expectStatus(answer, [401], 'a signature for another path')
    },
  },
  {
    name: 'a signature that is older than five minutes, or from the future, is refused',
    run: async (client) => {
      for (const minutes of [-6, 6]) {
        const at = Date.now() + minutes * minutesMs
        await refusedAs401(client, (text) => client.signature(text, { at }), `${minutes} minutes from now`)
      }
    },
  },
  {
    name: 'one valid signature among several is enough',
    run: async (client) => {
      const both = (text: string) => {
        const right = client.signature(text)
        const wrong = client.signature(text, { secret: elsewhere, id: right['webhook-id'] })
        return {
          ...right,
          'webhook-signature': `${wrong['webhook-signature']} ${right['webhook-signature']}`,
        }
      }
      expectStatus(await client.send({ path: '/v1/health', signed: both }), [200], 'two signatures')
    },
  },
  {
    name: 'a webhook-id that was used before is refused',
    run: async (client) => {
      const signed = (text: string) => client.signature(text, { id: 'msg_repeated_by_the_check' })
      const first = await client.send({ path: '/v1/health', signed })
      assert(first.status === 200 || first.status === 409, `the first was answered ${first.status}`)
      expectStatus(await client.send({ path: '/v1/health', signed }), [409], 'the second')
    },
  },
]

const panels: Check[] = [
  {
    name: 'a panel is created and read',
    run: async (client) => {
      const asked = client.newPanel()
      const answer = await client.create(asked)
      expectStatus(answer, client.newlyMade(asked), 'making a panel')
      const made = client.panelIn(answer, 'making a panel')
      assert(made.panel_id === asked.panel_id, `panel_id is ${made.panel_id}, not ${asked.panel_id}`)
      const read = await client.read(made.id)
      assert(read.id === made.id && read.name === asked.name, 'what is read is not what was made')
    },
  },
  {
    name: 'a panel that is requested twice is created once',
    run: async (client) => {
      const asked = client.newPanel()
      const answers: Answer[] = [await client.create(asked)]
      answers.push(...(await Promise.all([1, 2, 3, 4].map(() => client.create(asked)))))
      answers.push(await client.create({ ...asked, name: 'Another name' }))
      const ids = answers.map((answer) => {
        expectStatus(answer, [200, 201, 202], 'asking again')
        return client.panelIn(answer, 'asking again').id
      })
      assert(new Set(ids).size === 1, `${new Set(ids).size} panels were made of one: ${ids.join(', ')}`)
    },
  },
  {
    name: 'a panel that cannot be created is refused as 422, with a reason',
    run: async (client, { plans }) => {
      const refused = async (body: unknown, about: string) => {
        const answer = await client.send({ method: 'POST', path: '/v1/panels', body })
        expectStatus(answer, [422], about)
        readAs(engineRefusal, answer, about)
      }
      await refused({}, 'a panel without an id')
      if (plans.length > 0)
        await refused(client.newPanel({ plan: 'no-such-plan' }), 'a plan that is not there')
    },
  },
  {
    name: 'a body that is no JSON is refused as 400',
    run: async (client) => {
      const answer = await client.send({ method: 'POST', path: '/v1/panels', body: '{"panel_id":' })
      expectStatus(answer, [400], 'half a body')
    },
  },
  {
    name: 'an unknown panel is a 404 for every call',
    run: async (client, { suspend, sso, change_plan, adopt, series, audit, power = [] }) => {
      const about = (method: Sent['method'], more: string, body?: unknown): Sent => ({
        method,
        path: client.at(nobody, more),
        body,
      })
      const { panel_id, name, owner } = client.newPanel()
      const adopted = { panel_id, name, owner, actor }
      const calls = [
        about('GET', ''),
        about('PATCH', '', { name: 'x' }),
        about('DELETE', ''),
        about('GET', '/resources?kind=server'),
        ...(suspend ? [about('POST', '/suspend', { reason: 'x' }), about('POST', '/unsuspend')] : []),
        ...(sso ? [about('POST', '/sso', visitor())] : []),
        ...(change_plan ? [about('POST', '/plan', { plan: 'x', change_id: 'x', actor })] : []),
        ...(series ? [about('GET', '/series?kind=server&resource=x')] : []),
        ...(audit ? [about('GET', '/audit')] : []),
        ...power.map((action) =>
          about('POST', '/servers/x/power', { action, force: false, request_id: 'x', actor }),
        ),
        ...(adopt ? [about('POST', '/adopt', adopted), about('POST', '/release', adopted)] : []),
      ]
      for (const call of calls) expectStatus(await client.send(call), [404], `${call.method} ${call.path}`)
    },
  },
  {
    name: 'a panel can be renamed',
    run: async (client) => {
      const { id } = await client.panel()
      const change = { method: 'PATCH', path: client.at(id), body: { name: 'Renamed' } } as const
      for (const _ of [1, 2]) expectStatus(await client.send(change), [200, 204], 'renaming')
      assert((await client.read(id)).name === 'Renamed', 'the panel kept its old name')
    },
  },
  {
    name: 'a deleted panel is gone, and deleting it again is no fault',
    run: async (client) => {
      const { id } = await client.panel()
      await client.remove(id)
      expectStatus(await client.send({ method: 'DELETE', path: client.at(id) }), [204, 404], 'deleting again')
    },
  },
  {
    name: 'suspending and unsuspending can be repeated',
    needs: 'suspend',
    run: async (client) => {
      const { id } = await client.panel()
      const turn = async (to: 'suspend' | 'unsuspend', status: string) => {
        const body = to === 'suspend' ? { body: { reason: 'unpaid' } } : {}
        for (const _ of [1, 2])
          expectStatus(
            await client.send({ method: 'POST', path: client.at(id, `/${to}`), ...body }),
            [200, 204],
            to,
          )
        const now = (await client.read(id)).status
        assert(now === status, `after ${to} the panel is ${now}`)
      }
      await turn('suspend', 'suspended')
      await turn('unsuspend', 'active')
    },
  },
]

const resources: Check[] = [
  {
    name: 'pages of resources list each thing once, in a stable order',
    run: async (client, { kinds }) => {
      const { id } = await client.panel()
      for (const kind of kinds) {
        const [first, second] = [await walk(client, id, kind), await walk(client, id, kind)]
        assert(new Set(first).size === first.length, `${kind}: something is listed twice`)
        assert(
          first.join() === second.join(),
          `${kind}: the second time it is ${second.join()}, not ${first.join()}`,
        )
      }
    },
  },
  {
    name: 'an unknown cursor or kind causes no failure of the engine',
    run: async (client) => {
      const { id } = await client.panel()
      const kinds = resourceKind.options
      for (const query of [`kind=${kinds[0]}&cursor=no-such-cursor`, 'kind=no-such-kind', '']) {
        const { status } = await client.send({ path: client.at(id, `/resources?${query}`) })
        assert(status < 500, `?${query} was answered ${status}`)
      }
    },
  },
]

const signIn: Check[] = [
  {
    name: 'a sign-in link works once',
    needs: 'sso',
    run: async (client) => {
      const { id } = await client.panel()
      const [link, other] = [await client.link(id), await client.link(id)]
      assert(link !== other, 'two links are one')
      const first = await client.open(link)
      assert(first < 400, `the first time it was answered ${first}`)
      const second = await client.open(link)
      assert(second >= 400 && second < 500, `the second time it was answered ${second}`)
    },
  },
  {
    name: 'a sign-in link expires in time',
    needs: 'sso',
    run: async (client) => {
      const { id } = await client.panel()
      const link = await client.link(id, { ttl_seconds: 1 })
      await new Promise((resolve) => setTimeout(resolve, 2500))
      const late = await client.open(link)
      assert(late >= 400 && late < 500, `after its time it was answered ${late}`)
    },
  },
  {
    name: 'a link from before a person lost access does not sign in',
    needs: 'sso',
    run: async (client) => {
      const { id } = await client.panel()
      const link = await client.link(id, { subject: 'client-2', role: 'guest', scopes: [] })
      const end = { method: 'DELETE', path: client.at(id, '/subjects/client-2') } as const
      expectStatus(await client.send(end), [200, 204], 'ending access')
      expectStatus(await client.send(end), [200, 204, 404], 'ending access again')
      const opened = await client.open(link)
      assert(opened >= 400 && opened < 500, `the link was answered ${opened}`)
    },
  },
  {
    name: 'a suspended panel allows no sign-in',
    needs: 'sso',
    run: async (client, { suspend }) => {
      if (!suspend) return
      const { id } = await client.panel()
      const call = { method: 'POST', path: client.at(id, '/suspend'), body: { reason: 'unpaid' } } as const
      expectStatus(await client.send(call), [200, 204], 'suspend')
      const answer = await client.send({ method: 'POST', path: client.at(id, '/sso'), body: visitor() })
      expectStatus(answer, [409], 'asking for a sign-in link')
    },
  },
]

/** The requirements of every engine, in the order of the checks. */
export const checks: readonly Check[] = [...signatures, ...panels, ...resources, ...signIn, ...sinceLater]
