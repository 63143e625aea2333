import * as z from 'zod/mini'
import { reasonCode } from '../engine/reasons.ts'
import { idParameter, integerId, line, moment, noInput, searchParameter, stamps } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { activityVerbs } from './panel-activity-verbs.ts'
import { planChange, plannedPlan, planVerbs } from './panel-plan-verbs.ts'
import { panelResourceStatus } from './panel-resource.ts'

/** The states of a panel, as domain events move it; only `active` and `degraded` ones can be opened. */
export const panelStatus = z.enum([
  'provisioning',
  'active',
  'degraded',
  'suspended',
  'deleting',
  'deleted',
  'error',
])

/**
 * Why a panel or something in it is not as it should be, as the engine says. The name is null of the panel itself, and for
 * staff, who do not read what is in a panel; the engine's own words are for staff alone.
 */
export const panelReason = z.object({
  code: reasonCode,
  since: z.string(),
  resource: z.nullable(z.string()),
  text: z.nullable(z.string()),
})

/**
 * Why a panel is degraded or suspended: its worst server or cluster and the number of others in trouble, its engine without
 * such a resource, or the reason of a suspension.
 */
const statusReason = z.object({
  code: z.enum(['resource', 'engine', 'unpaid', 'trial_ended', 'operator']),
  resource: z.nullable(
    z.object({
      kind: z.enum(['server', 'cluster']),
      name: z.string(),
      status: panelResourceStatus,
      cpu_percent: z.nullable(z.number()),
    }),
  ),
  others: z.int(),
})

export const panels = resource('panels', {
  description:
    'A tenant in a hosting engine. It owns servers, clusters and domains there; the portal knows its state. Once plans are offered, a new panel needs the `plan_code` of one, a `region` where the plan has several, and a `domain` where the plan or its engine makes panels with one: a host name, kept in lower case and in ASCII. As long as none is offered, a `plan_code` must be one of the engine’s own. `balance_too_low`: the balance, credit included, must pay for some days of all that would then run, unless automatic payment works; `meta` says what is `missing`.',
  attributes: {
    name: line(60, { required: fault('panel_name_required') }),
    project_id: integerId,
    client_id: integerId,
    panel_engine_id: integerId,
    /** 0: the reader's own; 1: shared with the reader. */
    user_type: z.int(),
    status: panelStatus,
    /** Null in any other state, and of a suspension for a reader without the billing. */
    status_reason: z.nullable(statusReason),
    /** Also of panels that are active: maintenance, or a certificate that ends. */
    reasons: z.array(panelReason),
    /** The readings that its engine offers: the last day of servers, and the audit of the panel. */
    offers: z.array(z.enum(['series', 'audit'])),
    /** How much of it is made, in percent; null in any other state, and when its engine does not say. */
    progress: z.nullable(z.int()),
    /** Where people sign in by themselves; null where `connect` makes links, and for staff. */
    login_url: z.nullable(z.url()),
    region: z.nullable(line(64)),
    plan_code: z.nullable(line(40)),
    domain: z.nullable(line(255)),
    /** Null after a change that succeeded. */
    plan_change: z.nullable(planChange),
    /** Null also after it has begun. */
    planned_plan: z.nullable(plannedPlan),
    servers_count: z.int(),
    clusters_count: z.int(),
    domains_count: z.int(),
    /**
     * The failed request to the engine when the status is `error`; null: the engine itself reports the error.
     */
    failed_step: z.nullable(z.enum(['provision', 'delete'])),
    synced_at: z.nullable(moment),
    ...stamps,
  },
  relationships: {
    project: toOne('projects'),
    client: toOne('clients'),
    servers: toMany('servers'),
    clusters: toMany('clusters'),
    domains: toMany('domains'),
  },
  create: ['name', 'project', 'plan_code', 'region', 'domain'],
  update: ['name', 'project'],
  delete: 'accepted',
  filters: { client_id: idParameter, project_id: idParameter, status: panelStatus, search: searchParameter },
  sorts: ['name', 'status', 'createdAt'],
  actions: {
    sync: action({
      method: 'POST',
      on: 'one',
      description:
        'Requests a new reading of the panel and its resources from the engine, which this answer does not contain yet.',
      input: noInput,
      output: z.object({ status: panelStatus, synced_at: z.nullable(moment) }),
    }),
    retryProvision: action({
      method: 'POST',
      on: 'one',
      description:
        'Asks the engine again for a panel whose creation failed. `panel_not_failed` when it is in any other state.',
      input: noInput,
      output: z.object({ status: panelStatus, synced_at: z.nullable(moment) }),
    }),
    ...planVerbs,
    ...activityVerbs,
    reach: action({
      method: 'GET',
      on: 'one',
      description: 'The number of people with whom the owner shares the panel at this moment.',
      input: noInput,
      output: z.object({ people: z.int() }),
    }),
    connect: action({
      method: 'POST',
      on: 'one',
      description:
        'A link that signs the caller in to the panel at its engine: once, within a minute. `panel_suspended` or `panel_not_ready` when it cannot be opened, `engine_unavailable` when its engine does not answer.',
      input: noInput,
      output: z.object({ url: z.url(), expires_at: moment }),
    }),
  },
})
