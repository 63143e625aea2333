import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { allowsInWorkspace, opensPanel, opensWorkspace } from '@portico/contract/rules/permissions.ts'
import { expect, test } from 'vitest'
import {
  choosesNoWorkspace,
  levelOf,
  withEntry,
  withLevel,
  withoutPanel,
  withoutWorkspace,
  withResources,
  withWhole,
} from './choices.ts'

const panel = (id: number) => ({ id, name: `panel ${id}` })
const production = { id: 1, name: 'Production', panels: [panel(10), panel(11)] }
const staging = { id: 2, name: 'Staging', panels: [panel(20)] }
const all = [production, staging]
const custom = withResources(defaultPermissions, 'custom')

test('custom begins with nothing, and opens what is chosen alone', () => {
  expect(all.map(({ id }) => opensWorkspace(custom, id))).toEqual([false, false])
  const chosen = withEntry(withLevel(custom, 1, 'custom'), 1, { panels: [11] })
  expect(levelOf(chosen, 1)).toBe('custom')
  expect(opensPanel(chosen, 1, 11)).toBe(true)
  expect(opensPanel(chosen, 1, 10)).toBe(false)
  expect(opensWorkspace(chosen, 2)).toBe(false)
  expect(opensWorkspace(withLevel(chosen, 1, 'none'), 1)).toBe(false)
})

test('an entry that is not selected, or not shown, is no access', () => {
  const chosen = withLevel(custom, 1, 'all')
  expect(levelOf(withEntry(chosen, 1, { selected: 'denied' }), 1)).toBe('none')
  expect(levelOf(withEntry(chosen, 1, { show_workspace: false }), 1)).toBe('none')
})

test('adding is allowed in every chosen workspace, until one is taken out', () => {
  const chosen = withWhole(withLevel(withLevel(custom, 1, 'all'), 2, 'all'), 'add_panels', 'allowed')
  expect(all.map(({ id }) => allowsInWorkspace(chosen, 'add_panels', id))).toEqual([true, true])
  const narrowed = withEntry(chosen, 2, { add_panels: 'denied' })
  expect(all.map(({ id }) => allowsInWorkspace(narrowed, 'add_panels', id))).toEqual([true, false])
  // A workspace that is chosen later inherits the general permission.
  expect(allowsInWorkspace(withLevel(narrowed, 3, 'all'), 'add_panels', 3)).toBe(true)
})

test('choosing all again resets to all, from any narrower choice', () => {
  const narrowed = withEntry(withWhole(custom, 'delete_panels', 'allowed'), 1, { delete_panels: 'denied' })
  expect(allowsInWorkspace(withResources(narrowed, 'all'), 'delete_panels', 1)).toBe(true)
})

test('taking a workspace out of everything leaves the others as they were', () => {
  const everything = withWhole(defaultPermissions, 'delete_panels', 'allowed')
  const rest = withoutWorkspace(everything, all, 1)
  expect(opensWorkspace(rest, 1)).toBe(false)
  expect(opensPanel(rest, 1, 10)).toBe(false)
  expect(opensPanel(rest, 2, 20)).toBe(true)
  expect(allowsInWorkspace(rest, 'delete_panels', 2)).toBe(true)
})

test('taking a workspace out keeps what narrowed the others', () => {
  const narrowed = withEntry(withWhole(defaultPermissions, 'delete_panels', 'allowed'), 2, {
    delete_panels: 'denied',
  })
  expect(allowsInWorkspace(withoutWorkspace(narrowed, all, 1), 'delete_panels', 2)).toBe(false)
})

test.each([
  ['everything', defaultPermissions],
  ['the workspace', withLevel(withLevel(custom, 1, 'all'), 2, 'all')],
  ['its panels', withEntry(withLevel(withLevel(custom, 1, 'custom'), 2, 'all'), 1, { panels: [10, 11] })],
])('taking a panel out of %s leaves the others open', (_, permissions) => {
  const rest = withoutPanel(permissions, all, production, 10)
  expect(opensPanel(rest, 1, 10)).toBe(false)
  expect(opensPanel(rest, 1, 11)).toBe(true)
  expect(opensPanel(rest, 2, 20)).toBe(true)
})

test('choosing one by one is choosing at least one, unless nothing is opened at all', () => {
  expect(choosesNoWorkspace(custom)).toBe(true)
  expect(choosesNoWorkspace(withLevel(custom, 1, 'none'))).toBe(true)
  expect(choosesNoWorkspace(withLevel(custom, 1, 'custom'))).toBe(false)
  expect(choosesNoWorkspace({ ...custom, my_workspaces: 'denied' })).toBe(false)
  expect(choosesNoWorkspace(defaultPermissions)).toBe(false)
})
