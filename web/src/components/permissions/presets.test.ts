import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { opensWorkspace } from '@portico/contract/rules/permissions.ts'
import { expect, test } from 'vitest'
import { nothingShared, permissionsOf, presetOf, sharesNothing } from './presets.ts'

test('each kind of access is recognised again, and a change of it is one’s own', () => {
  for (const name of ['developer', 'billing', 'readonly', 'custom'] as const)
    expect(presetOf(permissionsOf(name))).toBe(name)
  expect(presetOf({ ...permissionsOf('developer'), delete_panels: 'allowed' })).toBe('custom')
  expect(presetOf(nothingShared)).toBeUndefined()
})

test('nothing is shared before a choice, and the defaults of the interface stay as they are', () => {
  expect(sharesNothing(nothingShared)).toBe(true)
  expect(sharesNothing({ ...defaultPermissions, workspace_resources: 'none' })).toBe(true)
  expect(permissionsOf('custom')).toEqual(defaultPermissions)
  for (const name of ['developer', 'billing', 'readonly', 'custom'] as const)
    expect(sharesNothing(permissionsOf(name))).toBe(false)
})

test('who reads only opens every workspace and changes nothing, and who pays opens none', () => {
  const { workspace_resources, add_panels, delete_panels, account_access, domain_access } =
    permissionsOf('readonly')
  expect({ workspace_resources, add_panels, delete_panels, account_access, domain_access }).toEqual({
    workspace_resources: 'all',
    add_panels: 'denied',
    delete_panels: 'denied',
    account_access: 'none',
    domain_access: 'none',
  })
  expect(opensWorkspace(permissionsOf('billing'), 1)).toBe(false)
})
