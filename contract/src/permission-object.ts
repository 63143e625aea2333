import * as z from 'zod/mini'
import { integerId } from './fields.ts'
import { defaultPermissions } from './permission-defaults.ts'
import { fault } from './refusals/fields.ts'

/** Whether a permission is granted. */
export const allow = z.enum(['denied', 'allowed'])
export type Allow = z.output<typeof allow>

/** How much of something is shared: nothing, the listed entries, or all of it. */
export const level = z.enum(['none', 'custom', 'all'])
export type Level = z.output<typeof level>

// Far above any number that a person would choose by hand.
const mostWorkspaces = 500
const mostListed = 2000

/** Ids, or resource objects with ids, as older clients send them. Duplicates are removed. */
const idList = z.pipe(
  z.array(z.union([integerId, z.object({ id: integerId })])).check(z.maxLength(mostListed)),
  z.transform((entries) => [
    ...new Set(entries.map((entry) => (typeof entry === 'number' ? entry : entry.id))),
  ]),
)

/**
 * The shared part of one workspace. It applies where `workspace_resources` is custom; its `add_panels` and
 * `delete_panels` narrow the general ones for every workspace that is listed.
 */
export const workspaceEntry = z.object({
  id: integerId,
  /** The current name of the workspace; ignored in requests. */
  name: z.optional(z.string()),
  selected: z._default(allow, 'denied'),
  show_workspace: z._default(z.boolean(), true),
  access_type: z._default(level, 'all'),
  add_panels: z._default(allow, 'denied'),
  delete_panels: z._default(allow, 'denied'),
  /** The panels that are shared where `access_type` is custom. */
  panels: z._default(idList, []),
})
export type WorkspaceEntry = z.output<typeof workspaceEntry>

const permissionFields = z.object({
  /** Manage cards and payments. */
  billing: allow,
  /** Answer and open tickets. */
  tickets: allow,
  /** Without this no workspace and no panel is shared, whatever the other fields say. */
  my_workspaces: allow,
  add_panels: z._default(allow, 'denied'),
  delete_panels: z._default(allow, 'denied'),
  workspace_resources: z._default(level, 'all'),
  workspaces: z.array(workspaceEntry).check(
    z.maxLength(mostWorkspaces),
    z.refine((entries) => new Set(entries.map(({ id }) => id)).size === entries.length, {
      error: fault('workspace_named_twice'),
    }),
  ),
  /**
   * This and the following fields are rights inside the shared panels; the portal passes them to the engine.
   */
  account_access: z._default(level, 'all'),
  domain_access: z._default(level, 'all'),
  /** The domains that are shared where `domain_access` is custom. */
  domains: z._default(idList, []),
  create_domains: z._default(allow, 'denied'),
  create_email: z._default(allow, 'denied'),
  create_dev_env: z._default(allow, 'denied'),
})

/** Everything that an owner shares with one invited person. */
export type Permissions = z.output<typeof permissionFields>

const needed = ['billing', 'tickets', 'my_workspaces'] as const

/** Replaces an object that lacks a required part by the defaults as a whole, as the interface requires. */
function orDefaults(sent: unknown): unknown {
  if (sent === undefined) return defaultPermissions
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const complete =
    needed.every((name) => Reflect.get(sent, name) !== undefined) &&
    Array.isArray(Reflect.get(sent, 'workspaces'))
  return complete ? sent : defaultPermissions
}

/**
 * The permission object on the wire. An object without billing, tickets, my_workspaces or a list of
 * workspaces becomes the defaults.
 */
export const permissions = z.pipe(z.transform(orDefaults), permissionFields)
