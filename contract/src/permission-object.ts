import * as z from 'zod/mini'
import { integerId } from './fields.ts'
import { fault } from './refusals/fields.ts'

/** Whether a permission is given. */
export const allow = z.enum(['denied', 'allowed'])
export type Allow = z.output<typeof allow>

/** How much of something is opened: nothing, what is listed, or all of it. */
export const level = z.enum(['none', 'custom', 'all'])
export type Level = z.output<typeof level>

// Far above what a person would choose by hand.
const mostWorkspaces = 500
const mostListed = 2000

/** Ids, or the resources that have them, as older clients send; each counts once. */
const idList = z.pipe(
  z.array(z.union([integerId, z.object({ id: integerId })])).check(z.maxLength(mostListed)),
  z.transform((entries) => [
    ...new Set(entries.map((entry) => (typeof entry === 'number' ? entry : entry.id))),
  ]),
)

/**
 * What is opened of one workspace (seed, section 3). It counts where `workspace_resources` is custom; its `add_panels` and
 * `delete_panels` narrow those of the whole wherever the workspace is named.
 */
export const workspaceEntry = z.object({
  id: integerId,
  /** As it is called now; what is sent is not read. */
  name: z.optional(z.string()),
  selected: z._default(allow, 'denied'),
  show_workspace: z._default(z.boolean(), true),
  access_type: z._default(level, 'all'),
  add_panels: z._default(allow, 'denied'),
  delete_panels: z._default(allow, 'denied'),
  /** The panels that are opened where `access_type` is custom. */
  panels: z._default(idList, []),
})
export type WorkspaceEntry = z.output<typeof workspaceEntry>

const permissionFields = z.object({
  /** Manage cards and payments. */
  billing: allow,
  /** Answer and open tickets. */
  tickets: allow,
  /** Whatever else is said of workspaces and panels, without this none is opened. */
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
  /** Hosting accounts inside the panels that are opened, and so on below: the engine is told of them. */
  account_access: z._default(level, 'all'),
  domain_access: z._default(level, 'all'),
  /** The domains that are opened where `domain_access` is custom. */
  domains: z._default(idList, []),
  create_domains: z._default(allow, 'denied'),
  create_email: z._default(allow, 'denied'),
  create_dev_env: z._default(allow, 'denied'),
})

/** Everything that an owner opens to one invited person. */
export type Permissions = z.output<typeof permissionFields>

/** What stands where nothing was chosen (seed, section 3). */
export const defaultPermissions: Permissions = {
  billing: 'denied',
  tickets: 'denied',
  my_workspaces: 'allowed',
  add_panels: 'denied',
  delete_panels: 'denied',
  workspace_resources: 'all',
  workspaces: [],
  account_access: 'all',
  domain_access: 'all',
  domains: [],
  create_domains: 'denied',
  create_email: 'denied',
  create_dev_env: 'denied',
}

const needed = ['billing', 'tickets', 'my_workspaces'] as const

/** The seed's rule: an object that lacks what it needs is replaced by the defaults, whole. */
function orDefaults(sent: unknown): unknown {
  if (sent === undefined) return defaultPermissions
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const complete =
    needed.every((name) => Reflect.get(sent, name) !== undefined) &&
    Array.isArray(Reflect.get(sent, 'workspaces'))
  return complete ? sent : defaultPermissions
}

/** The permission object of the wire. What lacks billing, tickets, my_workspaces or a list of workspaces becomes the defaults. */
export const permissions = z.pipe(z.transform(orDefaults), permissionFields)
