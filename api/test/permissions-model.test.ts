import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import {
  type Allow,
  type Level,
  type Permissions,
  permissions,
  type WorkspaceEntry,
  workspaceEntry,
} from '@portico/contract/permission-object.ts'
import { allowsInWorkspace } from '@portico/contract/rules/permissions.ts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Deeds, decide, type Grant, type Person } from './support/permissions-model.ts'
import { runSeed } from './support/sweep.ts'

const entry = (more: Partial<WorkspaceEntry> = {}): WorkspaceEntry =>
  z.parse(workspaceEntry, { id: 1, selected: 'allowed', ...more })

const custom = (...workspaces: WorkspaceEntry[]): Permissions => ({
  ...defaultPermissions,
  workspace_resources: 'custom',
  workspaces,
})

const guestOf = (given: Permissions, more: Partial<Grant> = {}): Person => ({
  id: 2,
  grants: [{ owner: 1, permissions: given, ended: false, ...more }],
})

const panel = { kind: 'panel', owner: 1, project: 1, id: 10 } as const
const workspace = { kind: 'workspace', owner: 1, id: 1 } as const
const account = { kind: 'account', owner: 1 } as const
const domain = { kind: 'domain', owner: 1, project: 1, panel: 10, id: 100 } as const

test('the object of the wire: what lacks something that it needs is replaced by the defaults, whole', () => {
  const whole = { ...defaultPermissions, billing: 'allowed' } as const
  expect(z.parse(permissions, undefined)).toEqual(defaultPermissions)
  expect(z.parse(permissions, {})).toEqual(defaultPermissions)
  expect(z.parse(permissions, whole)).toEqual(whole)
  for (const name of ['billing', 'tickets', 'my_workspaces', 'workspaces'] as const)
    expect(z.parse(permissions, { ...whole, [name]: undefined }), name).toEqual(defaultPermissions)
  expect(z.parse(permissions, { ...whole, workspaces: {} })).toEqual(defaultPermissions)
})

test('the object of the wire: what may be left out has a default, and what is wrong is refused', () => {
  const least = { billing: 'denied', tickets: 'allowed', my_workspaces: 'denied', workspaces: [{ id: 7 }] }
  expect(z.parse(permissions, least)).toEqual({
    ...defaultPermissions,
    tickets: 'allowed',
    my_workspaces: 'denied',
    workspaces: [entry({ id: 7, selected: 'denied' })],
  })
  const listed = { ...least, workspaces: [{ id: 7, panels: [3, { id: 4, name: 'x' }, 3] }] }
  expect(z.parse(permissions, listed).workspaces[0]?.panels).toEqual([3, 4])
  for (const wrong of [
    null,
    'all',
    [],
    { ...least, billing: 'yes' },
    { ...least, workspaces: [{ id: 0 }] },
    { ...least, workspaces: [{ id: 7 }, { id: 7 }] },
    { ...least, domain_access: 'some' },
  ])
    expect(z.safeParse(permissions, wrong).success, JSON.stringify(wrong)).toBe(false)
})

describe('the effect of a permission', () => {
  test('is by default to see all workspaces and panels, and nothing else', () => {
    const guest = guestOf(defaultPermissions)
    expect(decide(guest, 'see', workspace)).toBe(true)
    expect(decide(guest, 'see', panel)).toBe(true)
    expect(decide(guest, 'see', domain)).toBe(true)
    for (const deed of ['change', 'delete', 'move'] as const) expect(decide(guest, deed, panel)).toBe(false)
    for (const deed of ['addPanel', 'manage'] as const) expect(decide(guest, deed, workspace)).toBe(false)
    for (const deed of ['billing', 'tickets', 'manage'] as const)
      expect(decide(guest, deed, account)).toBe(false)
  })

  test.each<[string, Permissions, boolean, boolean]>([
    ['nothing is opened', { ...defaultPermissions, workspace_resources: 'none' }, false, false],
    ['it is not named', custom(entry({ id: 9 })), false, false],
    ['it is named and not selected', custom(entry({ selected: 'denied' })), false, false],
    ['it is not shown', custom(entry({ show_workspace: false })), false, false],
    ['nothing of it is opened', custom(entry({ access_type: 'none' })), false, false],
    ['none of its panels is listed', custom(entry({ access_type: 'custom' })), true, false],
    ['the panel is listed', custom(entry({ access_type: 'custom', panels: [10] })), true, true],
    ['all of it is opened', custom(entry()), true, true],
  ])('a workspace and its panel when %s', (_when, given, seesWorkspace, seesPanel) => {
    expect(decide(guestOf(given), 'see', workspace)).toBe(seesWorkspace)
    expect(decide(guestOf(given), 'see', panel)).toBe(seesPanel)
    expect(decide(guestOf({ ...given, my_workspaces: 'denied' }), 'see', workspace)).toBe(false)
  })

  test('the whole says that panels may be added, and a workspace that is named may object', () => {
    const given = { ...defaultPermissions, add_panels: 'allowed' } as const
    expect(allowsInWorkspace(given, 'add_panels', 1)).toBe(true)
    expect(allowsInWorkspace({ ...given, workspaces: [entry()] }, 'add_panels', 1)).toBe(false)
    expect(allowsInWorkspace({ ...given, workspaces: [entry()] }, 'add_panels', 2)).toBe(true)
    const named = { ...custom(entry({ add_panels: 'allowed' })), delete_panels: 'allowed' } as const
    expect(allowsInWorkspace(named, 'add_panels', 1)).toBe(false)
    expect(allowsInWorkspace({ ...named, add_panels: 'allowed' }, 'add_panels', 1)).toBe(true)
    expect(allowsInWorkspace(named, 'delete_panels', 1)).toBe(false)
  })

  test('domains by their own list, in panels that are open', () => {
    const listed: Permissions = { ...defaultPermissions, domain_access: 'custom', domains: [100] }
    expect(decide(guestOf(listed), 'see', domain)).toBe(true)
    expect(decide(guestOf(listed), 'see', { ...domain, id: 101 })).toBe(false)
    expect(decide(guestOf({ ...listed, domain_access: 'none' }), 'see', domain)).toBe(false)
    expect(decide(guestOf({ ...listed, my_workspaces: 'denied' }), 'see', domain)).toBe(false)
  })

  test('a billing manager knows the names of workspaces', () => {
    const guest = guestOf({ ...defaultPermissions, billing: 'allowed', my_workspaces: 'denied' })
    expect(decide(guest, 'name', workspace)).toBe(true)
    expect(decide(guest, 'see', workspace)).toBe(false)
  })
})

// Every invariant over many cases. A generator of its own is what makes a million of them a matter of seconds.
const cases = 1_000_000

/** mulberry32: the same numbers for the same seed, 32 bits of state. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const below = random(runSeed)
const allow = (): Allow => (below(2) === 0 ? 'denied' : 'allowed')
const levels = ['none', 'custom', 'all'] as const
const level = (): Level => levels[below(3)] ?? 'none'
const some = (most: number, of: number) => Array.from({ length: below(most + 1) }, () => 1 + below(of))

function anyPermissions(): Permissions {
  const ids = new Set(some(3, 3))
  return {
    billing: allow(),
    tickets: allow(),
    my_workspaces: allow(),
    add_panels: allow(),
    delete_panels: allow(),
    workspace_resources: level(),
    workspaces: [...ids].map((id) => ({
      id,
      selected: allow(),
      show_workspace: below(2) === 0,
      access_type: level(),
      add_panels: allow(),
      delete_panels: allow(),
      panels: some(3, 6),
    })),
    account_access: level(),
    domain_access: level(),
    domains: some(3, 6),
    create_domains: allow(),
    create_email: allow(),
    create_dev_env: allow(),
  }
}

const anyGrant = (): Grant => ({
  owner: 1 + below(3),
  permissions: anyPermissions(),
  ended: below(4) === 0,
})

type Question = { readonly ask: (person: Person) => boolean; readonly owner: number; readonly deed: string }

function anyQuestion(): Question {
  const owner = 1 + below(3)
  const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0]
  const project = 1 + below(3)
  const id = 1 + below(6)
  switch (below(4)) {
    case 0: {
      const deed = pick<Deeds['account']>(['billing', 'tickets', 'manage'])
      return { owner, deed, ask: (person) => decide(person, deed, { kind: 'account', owner }) }
    }
    case 1: {
      const deed = pick<Deeds['workspace']>(['name', 'see', 'addPanel', 'manage'])
      return { owner, deed, ask: (person) => decide(person, deed, { kind: 'workspace', owner, id: project }) }
    }
    case 2: {
      const deed = pick<Deeds['panel']>(['see', 'change', 'delete', 'move'])
      return { owner, deed, ask: (person) => decide(person, deed, { kind: 'panel', owner, project, id }) }
    }
    default:
      return {
        owner,
        deed: 'see',
        ask: (person) => decide(person, 'see', { kind: 'domain', owner, project, panel: id, id }),
      }
  }
}

const neverShared = new Set(['manage', 'move'])

/** The name of the first invariant that a decision violates, or undefined. */
function broken({ ask, owner, deed }: Question, person: Person): string | undefined {
  const answer = ask(person)
  const mine = person.id === owner
  if (mine) return answer ? undefined : 'the owner may do everything'
  if (!answer) return ask(lessened(person)) ? 'what is denied opens nothing' : undefined
  const alone = person.grants.filter((grant) => !grant.ended && grant.owner === owner)
  if (alone.length === 0) return 'nobody is let in without a grant of the owner that counts'
  if (neverShared.has(deed)) return 'what only an owner does is not given'
  if (!alone.some((grant) => ask({ id: person.id, grants: [grant] }))) return 'grants never mix'
  const denying = alone.map((grant) => ({ ...grant, permissions: denied(grant.permissions) }))
  return ask({ id: person.id, grants: denying }) ? 'denied beats allowed' : undefined
}

const words = ['billing', 'tickets', 'my_workspaces', 'add_panels', 'delete_panels'] as const

/** The same person with one more denial somewhere in what they were given. */
function lessened(person: Person): Person {
  const at = below(person.grants.length || 1)
  const grants = person.grants.map((grant, index) =>
    index === at ? { ...grant, permissions: lessPermitted(grant.permissions) } : grant,
  )
  return { ...person, grants }
}

function lessPermitted(given: Permissions): Permissions {
  switch (below(4)) {
    case 0:
      return { ...given, [words[below(words.length)] ?? 'billing']: 'denied' }
    case 1:
      return { ...given, workspace_resources: 'none' }
    case 2:
      return { ...given, domain_access: 'none' }
    default:
      return { ...given, workspaces: given.workspaces.map(lessOpen) }
  }
}

function lessOpen(entry: WorkspaceEntry): WorkspaceEntry {
  const less: Partial<WorkspaceEntry>[] = [
    { selected: 'denied' },
    { show_workspace: false },
    { access_type: 'none' },
    { add_panels: 'denied' },
    { delete_panels: 'denied' },
    { panels: [] },
  ]
  return { ...entry, ...less[below(less.length)] }
}

/** The same permissions with access to all workspaces denied; the entries per workspace remain. */
const denied = (given: Permissions): Permissions => ({
  ...given,
  billing: 'denied',
  tickets: 'denied',
  my_workspaces: 'denied',
})

test(`${cases.toLocaleString('en')} decisions keep to the rules (TEST_SEED=${runSeed})`, () => {
  let allowed = 0
  const faults: unknown[] = []
  for (let at = 0; at < cases && faults.length < 3; at++) {
    const person = { id: 1 + below(4), grants: Array.from({ length: below(3) }, anyGrant) }
    const question = anyQuestion()
    const fault = broken(question, person)
    if (fault !== undefined) faults.push({ fault, person, deed: question.deed, owner: question.owner })
    else if (person.id !== question.owner && question.ask(person)) allowed += 1
  }
  expect(faults).toEqual([])
  // The cases are not all refusals, or nothing would have been shown.
  expect(allowed).toBeGreaterThan(cases / 50)
}, 60_000)
