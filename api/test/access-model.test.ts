import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import {
  allow,
  type Level,
  level,
  type Permissions,
  type WorkspaceEntry,
} from '@portico/contract/permission-object.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from './support/account.ts'
import type { Answer, ResourceObject } from './support/answer.ts'
import { type Deeds, decide, type Person } from './support/permissions-model.ts'
import { testPortal } from './support/portal.ts'
import { entry } from './support/share.ts'
import { runSeed } from './support/sweep.ts'
import { wish } from './support/wish.ts'

// The decision that is written as a pure function, and the one that the server makes in SQL, over the same permissions:
// what a list shows is exactly what `decide` allows, what a single read answers, and what `meta.may` says.

/** Say ACCESS_RUNS to look at more permissions. */
const runs = wish('ACCESS_RUNS', 60)

const portal = await testPortal()
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 3, panels: 2 })
const guest = await someone()

type World = {
  readonly owner: Account
  readonly permission: number
  readonly domains: readonly ResourceObject[]
  readonly servers: readonly ResourceObject[]
}

async function newWorld(): Promise<World> {
  const owner = await someone()
  const all = async (type: string) => (await portal.as(owner).get(`/api/v1/${type}?page[size]=100`)).list
  const { permission } = await portal.share(owner, guest)
  return { owner, permission, domains: await all('domains'), servers: await all('servers') }
}

const worlds = [await newWorld(), await newWorld()] as const

/** Saves permissions as the owner does. */
async function give({ owner, permission }: World, permissions: Permissions): Promise<void> {
  const answer = await portal.as(owner).patch(`/api/v1/share-permissions/${permission}`, {
    data: { type: 'share-permissions', id: String(permission), attributes: { permissions } },
  })
  expect(answer.status, answer.text).toBe(200)
}

const projectOf = ({ panels, projects }: Account, panel: number) =>
  projects[Math.floor(panels.indexOf(panel) / 2)] ?? 0

const numbers = (answer: Answer) => answer.list.map(({ id }) => Number(id)).sort((a, b) => a - b)

/** The expected rows of each type that a person can read. */
function expected(person: Person, { owner, domains, servers }: World): Record<string, readonly number[]> {
  const { id } = owner
  const seesPanel = (panel: number) =>
    decide(person, 'see', { kind: 'panel', owner: id, project: projectOf(owner, panel), id: panel })
  const panelOf = (row: ResourceObject) => Number(row.attributes?.panel_id)
  const billing = decide(person, 'billing', { kind: 'account', owner: id })
  return {
    projects: owner.projects.filter((one) =>
      decide(person, 'name', { kind: 'workspace', owner: id, id: one }),
    ),
    panels: owner.panels.filter(seesPanel),
    servers: servers
      .filter((row) => seesPanel(panelOf(row)))
      .map((row) => Number(row.id))
      .sort((a, b) => a - b),
    domains: domains
      .filter((row) => {
        const panel = panelOf(row)
        const project = projectOf(owner, panel)
        return decide(person, 'see', { kind: 'domain', owner: id, project, panel, id: Number(row.id) })
      })
      .map((row) => Number(row.id))
      .sort((a, b) => a - b),
    'account-balances': billing ? [-1] : [],
  }
}

/** The `meta.may` of each panel and workspace, next to the expected one. */
function verbs(person: Person, { owner }: World, panels: Answer, projects: Answer) {
  const said: [string, boolean | undefined][] = []
  const meant: [string, boolean][] = []
  const panelDeeds: [string, Deeds['panel']][] = [
    ['update', 'change'],
    ['delete', 'delete'],
  ]
  for (const { id, meta } of panels.list)
    for (const [verb, deed] of panelDeeds) {
      const thing = { owner: owner.id, project: projectOf(owner, Number(id)), id: Number(id) }
      said.push([`${verb} panel ${id}`, meta?.may?.[verb]])
      meant.push([`${verb} panel ${id}`, decide(person, deed, { kind: 'panel', ...thing })])
    }
  for (const { id, meta, attributes } of projects.list) {
    const thing = { kind: 'workspace', owner: owner.id, id: Number(id) } as const
    const whole = attributes !== undefined && 'createdAt' in attributes
    said.push(
      [`addPanel ${id}`, meta?.may?.addPanel],
      [`update ${id}`, meta?.may?.update],
      [`see ${id}`, whole],
    )
    meant.push(
      [`addPanel ${id}`, decide(person, 'addPanel', thing)],
      [`update ${id}`, decide(person, 'manage', thing)],
      [`see ${id}`, decide(person, 'see', thing)],
    )
  }
  return { said, meant }
}

let compared = 0

/** Everything the guest is shown of a world, held against the model. */
async function assertAsModelled(person: Person, world: World): Promise<void> {
  const reader = portal.as(guest)
  const { owner, servers } = world
  const model = expected(person, world)
  const lists = Object.fromEntries(
    await Promise.all(
      Object.keys(model).map(async (type) => {
        const answer = await reader.get(`/api/v1/${type}?filter[client_id]=${owner.id}&page[size]=100`)
        return [type, answer] as const
      }),
    ),
  )
  const actual = Object.entries(lists).map(([type, list]) => [type, list.page.total, numbers(list)])
  // The id of the balance is not known beforehand; there is one or none.
  const balances = lists['account-balances']?.list.map(({ id }) => Number(id)) ?? []
  const meant = Object.entries(model).map(([type, ids]) => [
    type,
    ids.length,
    ids[0] === -1 ? balances : [...ids],
  ])
  expect(actual).toEqual(meant)
  const within = await Promise.all(
    owner.panels.map(async (id) => {
      const inPanel = servers.filter((row) => Number(row.attributes?.panel_id) === id)
      const list = await reader.get(`/api/v1/servers?filter[panel_id]=${id}`)
      return [list.page.total, model.panels?.includes(id) ? inPanel.length : 0]
    }),
  )
  expect(within.map(([total]) => total)).toEqual(within.map(([, all]) => all))
  const { panels, projects } = lists
  if (!panels || !projects) throw new Error('These lists were asked for.')
  const { said, meant: allowed } = verbs(person, world, panels, projects)
  expect(said).toEqual(allowed)
  const single = async (type: string, ids: readonly number[]) =>
    Promise.all(
      ids.map(async (id) => ((await reader.get(`/api/v1/${type}/${id}`)).status === 200 ? [id] : [])),
    )
  expect((await single('panels', owner.panels)).flat()).toEqual(model.panels)
  expect((await single('projects', owner.projects)).flat()).toEqual(model.projects)
  compared += said.length + owner.panels.length + owner.projects.length + actual.length
}

const person = (permissions: readonly Permissions[]): Person => ({
  id: guest.id,
  grants: permissions.map((given, at) => ({
    owner: worlds[at]?.owner.id ?? 0,
    permissions: given,
    ended: false,
  })),
})

/** Every choice of one value for each name. */
function everyChoice<T extends Record<string, readonly unknown[]>>(
  of: T,
): { [K in keyof T]: T[K][number] }[] {
  const all = Object.entries(of).reduce<Record<string, unknown>[]>(
    (choices, [name, values]) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  )
  // Each name was given one of its values.
  return all as { [K in keyof T]: T[K][number] }[]
}

/** Everything that can be said of one workspace and of the whole, in every combination. */
function combinations({ projects: [first = 0], panels }: Account): Permissions[] {
  const choices = everyChoice({
    my_workspaces: ['denied', 'allowed'],
    workspace_resources: ['none', 'custom', 'all'],
    selected: ['denied', 'allowed'],
    show_workspace: [false, true],
    access_type: ['none', 'custom', 'all'],
    changes: ['denied', 'allowed'],
  } as const)
  return choices.map(({ my_workspaces, workspace_resources, changes, ...more }) => ({
    ...defaultPermissions,
    billing: changes === 'allowed' ? 'denied' : 'allowed',
    my_workspaces,
    workspace_resources,
    add_panels: 'allowed',
    delete_panels: changes,
    workspaces: [
      entry(first, { ...more, add_panels: changes, delete_panels: 'allowed', panels: panels.slice(0, 1) }),
    ],
  }))
}

test('every combination of what can be said of a workspace', async () => {
  const [world, other] = worlds
  const cases = combinations(world.owner)
  expect(cases.length).toBeGreaterThanOrEqual(96)
  await give(other, defaultPermissions)
  for (const given of cases) {
    await give(world, given)
    await assertAsModelled(person([given, defaultPermissions]), world)
  }
}, 120_000)

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const allows = oneOf(allow.options)
const levels: fc.Arbitrary<Level> = oneOf(level.options)

function anyEntry(owner: Account, at: number): fc.Arbitrary<WorkspaceEntry> {
  return fc.record({
    id: fc.constant(owner.projects[at] ?? 0),
    selected: oneOf(['allowed', 'allowed', 'denied'] as const),
    show_workspace: oneOf([true, true, false]),
    access_type: levels,
    add_panels: allows,
    delete_panels: allows,
    panels: fc.subarray(owner.panels.slice(at * 2, at * 2 + 2)),
  })
}

const anyPermissions = ({ owner, domains }: World): fc.Arbitrary<Permissions> =>
  fc.record({
    billing: allows,
    tickets: allows,
    my_workspaces: oneOf(['allowed', 'allowed', 'denied'] as const),
    add_panels: allows,
    delete_panels: allows,
    workspace_resources: oneOf(['none', 'custom', 'custom', 'all'] as const),
    workspaces: fc
      .tuple(anyEntry(owner, 0), anyEntry(owner, 1), anyEntry(owner, 2))
      .chain((entries) => fc.subarray(entries)),
    account_access: levels,
    domain_access: levels,
    domains: fc.subarray(domains.map(({ id }) => Number(id))),
    create_domains: allows,
    create_email: allows,
    create_dev_env: allows,
  })

test(`any permissions of two owners at once (TEST_SEED=${runSeed})`, async () => {
  const both = fc.tuple(anyPermissions(worlds[0]), anyPermissions(worlds[1]))
  await fc.assert(
    fc.asyncProperty(both, async (given) => {
      for (const [at, world] of worlds.entries()) await give(world, given[at] ?? defaultPermissions)
      for (const world of worlds) await assertAsModelled(person(given), world)
    }),
    { seed: runSeed, numRuns: runs },
  )
  expect([compared > 5000, portal.bugs]).toEqual([true, []])
}, 120_000)
