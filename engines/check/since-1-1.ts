import { setTimeout as sleep } from 'node:timers/promises'
import { type ListedPanel, panelCheckAnswer, panelPage } from '@portico/contract/engine/panel-calls.ts'
import { type EngineCapabilities, engineRefusal } from '@portico/contract/engine/wire.ts'
import { assert, type Check, NothingToCheck, walk } from './check.ts'
import { type Answer, actor, type Client, domainOf, expectStatus, type Panel, readAs } from './client.ts'
import { figures } from './figures.ts'
import { power } from './power.ts'
import { readings } from './readings.ts'

// Checks of contract 1.1, each for an optional capability.

const noSuchPlan = 'no-such-plan'
const showMs = 60_000

/** A plan of which panels can be made, with a domain where it needs one. */
function asking(client: Client, plan: { readonly code: string; readonly domain: string }) {
  const asked = client.newPanel({ plan: plan.code })
  return { ...asked, domain: plan.domain === 'required' ? domainOf(asked.panel_id) : null }
}

type Plan = NonNullable<EngineCapabilities['plan_details']>[number]

/** A panel of this plan, when it is there. */
async function panelOf(client: Client, plan: Plan): Promise<Panel> {
  const { domain } = asking(client, plan)
  return client.panel({ plan: plan.code, domain })
}

function change(client: Client, id: string, plan: string, change_id: string): Promise<Answer> {
  const body = { plan, change_id, actor }
  return client.send({ method: 'POST', path: client.at(id, '/plan'), body })
}

async function shows(client: Client, id: string, plan: string): Promise<void> {
  for (const until = Date.now() + showMs; (await client.read(id)).plan !== plan; await sleep(500))
    if (Date.now() > until) throw new Error(`the panel does not show the plan ${plan}`)
}

/** Two plans of which a panel of the first may get the second, as far as their limits say. */
function pairOf({ plan_details: plans = [] }: EngineCapabilities): readonly [Plan, Plan] {
  const roomy = (plan: Plan) => Object.values(plan.limits).filter((limit) => limit !== null).length
  const [to, from] = plans.toSorted((a, b) => roomy(a) - roomy(b))
  if (!to || !from) throw new NothingToCheck('it describes fewer than two plans')
  return [from, to]
}

/** Walks the list of panels; each page by the contract. */
export async function listed(client: Client, query = ''): Promise<ListedPanel[]> {
  const found: ListedPanel[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    assert(pages < 2000, 'the pages of panels do not end')
    const more: string[] = [query, cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`].filter(
      Boolean,
    )
    const answer: Answer = await client.send({
      path: `/v1/panels${more.length > 0 ? `?${more.join('&')}` : ''}`,
    })
    expectStatus(answer, [200], 'listing panels')
    const page = readAs(panelPage, answer, 'listing panels')
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

async function checked(client: Client, body: unknown) {
  const answer = await client.send({ method: 'POST', path: '/v1/checks', body })
  expectStatus(answer, [200], 'a check')
  return readAs(panelCheckAnswer, answer, 'a check')
}

const without = (asked: ReturnType<Client['newPanel']>) => ({ ...asked, panel_id: null })

const asked: Check[] = [
  {
    name: 'a check creates nothing',
    needs: 'check',
    run: async (client, { list }) => {
      const panel = { ...client.newPanel(), name: `Check ${Date.now()}` }
      const answer = await checked(client, { panel: without(panel) })
      assert(answer.ok, `what can be made is refused: ${answer.code}`)
      if (list) {
        const names = (await listed(client)).map(({ name }) => name)
        assert(!names.includes(panel.name), 'the panel that was only asked about is in the list')
      }
      expectStatus(await client.create(panel), client.newlyMade(panel), 'making what was checked')
    },
  },
  {
    name: 'a check refuses an unknown plan and names the field',
    needs: 'check',
    run: async (client) => {
      const { id, plan } = await client.panel()
      const bodies = [{ panel: without(client.newPanel({ plan: noSuchPlan })) }, { id, plan: noSuchPlan }]
      for (const body of bodies) {
        const { ok, field } = await checked(client, body)
        assert(!ok, 'it says yes')
        assert(field === 'plan', `field is ${field}`)
      }
      assert((await client.read(id)).plan === plan, 'the panel has another plan by now')
    },
  },
]

const plans: Check[] = [
  {
    name: 'plans and regions are described once, and name only what is offered',
    needs: 'plan_details',
    run: async (_client, { plans: offered, plan_details: details = [], regions = [] }) => {
      const codes = details.map(({ code }) => code)
      assert(new Set(codes).size === codes.length, 'a plan is described twice')
      const stray = codes.find((code) => !offered.includes(code))
      assert(stray === undefined, `the plan ${stray} is described, and not offered`)
      const places = new Set(regions.map(({ code }) => code))
      assert(places.size === regions.length, 'a place is named twice')
      const nowhere = details.flatMap((plan) => plan.regions).find((code) => !places.has(code))
      assert(nowhere === undefined, `a plan is offered in ${nowhere}, which is no place`)
    },
  },
  {
    name: 'a plan is changed once for each change_id',
    needs: 'change_plan',
    run: async (client, capabilities) => {
      const [from, to] = pairOf(capabilities)
      const { id } = await panelOf(client, from)
      const [there, back] = [`there-${id}`, `back-${id}`].map((one) => one.slice(0, 128))
      const first = await change(client, id, to.code, there ?? '')
      expectStatus(first, [200, 202], 'another plan')
      await shows(client, id, to.code)
      expectStatus(await change(client, id, from.code, back ?? ''), [200, 202], 'the plan of before')
      await shows(client, id, from.code)
      const again = await change(client, id, to.code, there ?? '')
      assert(again.status === first.status, `again it was answered ${again.status}, not ${first.status}`)
      const { plan } = await client.read(id)
      assert(plan === from.code, `what was done before was done again: the plan is ${plan}`)
    },
  },
  {
    name: 'a plan that is too small is refused as 409 that names each limit, and changes nothing',
    needs: 'change_plan',
    run: async (client, capabilities) => {
      const [, large] = pairOf(capabilities)
      const { id } = await panelOf(client, large)
      const limits = { servers: 'server', clusters: 'cluster', domains: 'domain' } as const
      const held: [keyof typeof limits, number][] = []
      for (const limit of ['servers', 'clusters', 'domains'] as const)
        if (capabilities.kinds.includes(limits[limit]))
          held.push([limit, (await walk(client, id, limits[limit])).length])
      const over = (plan: Plan) =>
        held.filter(([limit, used]) => used > (plan.limits[limit] ?? Number.POSITIVE_INFINITY))
      const small = capabilities.plan_details?.find((plan) => over(plan).length > 0)
      if (!small) throw new NothingToCheck('no plan is too small for a new panel')
      const answer = await change(client, id, small.code, `small-${id}`.slice(0, 128))
      expectStatus(answer, [409], 'a plan that is too small')
      const { error } = readAs(engineRefusal, answer, 'a plan that is too small')
      const named = (error.exceeded ?? []).map(({ limit, used }) => `${limit} ${used}`)
      for (const [limit, used] of over(small))
        assert(
          named.includes(`${limit} ${used}`),
          `${limit} (${used}) is not named: ${named.join(', ') || 'nothing is'}`,
        )
      assert((await client.read(id)).plan === large.code, 'the panel has another plan by now')
    },
  },
  {
    name: 'an unknown plan is refused as 422, and changes nothing',
    needs: 'change_plan',
    run: async (client) => {
      const { id, plan } = await client.panel()
      expectStatus(
        await change(client, id, noSuchPlan, `none-${id}`.slice(0, 128)),
        [422],
        'a plan that is not there',
      )
      assert((await client.read(id)).plan === plan, 'the panel has another plan by now')
    },
  },
]

const lists: Check[] = [
  {
    name: 'the list has each panel once, finds one by its panel_id, and forgets what is deleted',
    needs: 'list',
    run: async (client) => {
      const made = [await client.panel(), await client.panel(), await client.panel()]
      const ids = (await listed(client)).map(({ id }) => id)
      assert(new Set(ids).size === ids.length, 'a panel is listed twice')
      for (const { id } of made) assert(ids.includes(id), `${id} is not listed`)
      const [first] = made
      if (!first) return
      const query = `panel_id=${first.panel_id}`
      const found = await listed(client, query)
      assert(found.length === 1 && found[0]?.id === first.id, `panel_id= finds ${found.length} panels`)
      expectStatus(await client.send({ method: 'DELETE', path: client.at(first.id) }), [202, 204], 'deleting')
      const left = await listed(client, query)
      assert(
        left.every(({ status }) => ['deleting', 'deleted'].includes(status)),
        'a deleted panel is listed',
      )
    },
  },
  {
    name: 'a panel is released and adopted once, and continues unchanged',
    needs: 'adopt',
    run: async (client, { kinds }) => {
      const { id, panel_id, status } = await client.panel()
      const [kind] = kinds
      const things = async () => (kind === undefined ? '' : (await walk(client, id, kind)).toSorted().join())
      const before = await things()
      const [mine, other] = [client.newPanel(), client.newPanel()]
      const release = (by: number) =>
        client.send({ method: 'POST', path: client.at(id, '/release'), body: { panel_id: by, actor } })
      const adopt = ({ panel_id: by, name, owner }: ReturnType<Client['newPanel']>) => {
        const body = { panel_id: by, name, owner, actor }
        return client.send({ method: 'POST', path: client.at(id, '/adopt'), body })
      }
      expectStatus(await adopt(other), [409], 'adopting what has an owner')
      expectStatus(await release(other.panel_id), [409], 'releasing what another has')
      for (const _ of [1, 2]) expectStatus(await release(panel_id), [200, 204], 'releasing')
      for (const _ of [1, 2]) expectStatus(await adopt(mine), [200], 'adopting')
      expectStatus(await adopt(other), [409], 'adopting what was adopted')
      const now = await client.read(id)
      assert(now.panel_id === mine.panel_id, `panel_id is ${now.panel_id}, not ${mine.panel_id}`)
      assert(now.status === status && (await things()) === before, 'what is in the panel is not as it was')
    },
  },
]

/** By which plan, or none, panels are made with a domain. */
function planWith(
  { domain = 'none', plan_details: details = [] }: EngineCapabilities,
  rules: readonly string[],
): { plan?: string } {
  const plan = details.find((one) => rules.includes(one.domain))
  if (plan) return { plan: plan.code }
  if (rules.includes(domain)) return {}
  throw new NothingToCheck('no panel is made so')
}

async function refusedOfDomain(client: Client, body: ReturnType<Client['newPanel']>, about: string) {
  const answer = await client.create(body)
  expectStatus(answer, [422], about)
  const { error } = readAs(engineRefusal, answer, about)
  assert(error.field === 'domain', `${about}: field is ${error.field ?? 'not there'}`)
}

const domains: Check[] = [
  {
    name: 'a panel keeps the domain that it was created with',
    needs: 'domain',
    run: async (client, capabilities) => {
      const more = planWith(capabilities, ['optional', 'required'])
      const domain = domainOf(client.newPanel().panel_id)
      const { id } = await client.panel({ ...more, domain })
      const read = await client.read(id)
      assert(read.domain === domain, `the domain is ${read.domain ?? 'not there'}, not ${domain}`)
    },
  },
  {
    name: 'another panel’s domain is refused as 422 that names the field',
    needs: 'domain',
    run: async (client, capabilities) => {
      const more = planWith(capabilities, ['optional', 'required'])
      const domain = domainOf(client.newPanel().panel_id)
      await client.panel({ ...more, domain })
      await refusedOfDomain(client, client.newPanel({ ...more, domain }), 'a domain that is taken')
    },
  },
  {
    name: 'a missing domain is refused as 422 that names the field',
    needs: 'domain',
    run: async (client, capabilities) => {
      const more = planWith(capabilities, ['required'])
      await refusedOfDomain(client, client.newPanel({ ...more, domain: null }), 'no domain')
    },
  },
]

/** The checks for engines of contract 1.1. */
export const sinceLater: readonly Check[] = [
  ...asked,
  ...plans,
  ...lists,
  ...domains,
  ...figures,
  ...power,
  ...readings,
]
