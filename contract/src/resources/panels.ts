import * as z from 'zod/mini'
import { reasonCode } from '../engine/reasons.ts'
import { idParameter, integerId, line, moment, money, noInput, searchParameter, stamps } from '../fields.ts'
import { action, resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { panelResourceStatus } from './panel-resource.ts'
import { lacks, obstacles, planCode, planLimits, vatRate } from './plans.ts'

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

/** Why a panel keeps its old plan. */
export const keptPlan = z.enum([
  'plan_limit_exceeded',
  'panel_suspended',
  'plan_refused',
  'engine_unavailable',
  'panel_deleted',
])

/** Why a plan that staff gave a panel has not begun on its day. */
export const plannedProblem = z.enum([
  'plan_not_offered',
  'plan_of_suspended',
  'panel_not_ready',
  'plan_change_unsupported',
  'plan_not_on_engine',
  'plan_needs_domain',
  'plan_change_waiting',
  'plan_limit_exceeded',
])

/** A plan that staff gave the panel from a UTC day on. */
const plannedPlan = z.object({
  plan_code: z.string(),
  name_en: z.string(),
  name_ro: z.string(),
  starts_on: z.iso.date(),
  /** Null until that day, and while nothing keeps the panel from the plan. */
  problem: z.nullable(plannedProblem),
})

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

const exceeded = z.array(z.object({ limit: z.string(), allowed: z.number(), used: z.number() }))

/** A change of plan that waits for the engine, or that ended without the new plan. */
const planChange = z.object({
  plan_code: z.string(),
  state: z.enum(['waiting', 'refused', 'failed']),
  reason: z.nullable(keptPlan),
  exceeded,
  asked_at: moment,
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

/** The kinds of events in the activity of a panel. */
export const panelActs = [
  'panel-added',
  'panel-renamed',
  'panel-moved',
  'panel-plan-asked',
  'panel-plan-changed',
  'panel-plan-refused',
  'panel-suspended',
  'panel-stopped',
  'panel-resumed',
  'panel-connected',
  'server-started',
  'server-stopped',
  'server-restarted',
  'panel-deleted',
] as const

/** Null for a reader who may not know it. */
const change = z.nullable(z.object({ before: money, after: money }))
const day = z.nullable(z.iso.date())

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
    plan: action({
      method: 'GET',
      on: 'one',
      description:
        'The plan of the panel: its price a month, net of VAT, and how much of each limit is used. The price and a use are null for a reader who may not know them; the plan is null for a panel without one.',
      input: noInput,
      output: z.object({
        plan: z.nullable(
          z.object({
            code: planCode,
            name_en: z.string(),
            name_ro: z.string(),
            price: z.nullable(z.object({ monthly: money, currency: z.string() })),
            limits: z.array(
              z.object({ limit: z.enum(planLimits), allowed: z.number(), used: z.nullable(z.number()) }),
            ),
          }),
        ),
      }),
    }),
    quotePlan: action({
      method: 'GET',
      on: 'one',
      description:
        'What another plan would cost the panel, net of VAT, before and after the change, and whether the panel can have it now. Asks the engine too, and changes nothing. A day and an hour are those of this month, and about: a month is exact.',
      input: z.strictObject({ plan: planCode }),
      output: z.object({
        plan: planCode,
        currency: z.string(),
        monthly: change,
        daily: change,
        hourly: change,
        /** From this hour to the end of this UTC month. */
        rest_of_month: change,
        /** On the new price of a month; null also while the rate is not known. */
        vat: z.nullable(z.object({ ...vatRate, amount: money, gross: money })),
        /** Of the whole account, with the use of the last days at the prices of the new plan. */
        daily_use: change,
        exhaustion_date: z.nullable(z.object({ before: day, after: day })),
        exceeded,
        can: z.boolean(),
        obstacles,
        lacks,
      }),
    }),
    changePlan: action({
      method: 'POST',
      on: 'one',
      description:
        'Asks the engine for another plan; the panel has it, and costs its price, once the engine confirms. `expects` is the price a month that the caller saw, null where they may not know it; `price_changed` when it is another by now. `plan_limit_exceeded` names each limit that the content of the panel exceeds. A plan that costs more a day is refused with `balance_too_low` as a new panel is.',
      input: z.strictObject({
        plan: line(40),
        expects: z.strictObject({ monthly: z.nullable(money), currency: z.string().check(z.length(3)) }),
      }),
      output: planChange,
    }),
    activity: action({
      method: 'GET',
      on: 'one',
      description:
        'The changes of the panel and the sign-ins to it, newest first; `before` continues after an id. Guests read neither the sign-ins and names of other guests nor the workspaces between which it was moved.',
      input: z.strictObject({ before: z.optional(z.string().check(z.maxLength(24))) }),
      output: z.object({
        acts: z.array(
          z.object({
            id: z.string(),
            kind: z.enum(panelActs),
            at: moment,
            /** Null: the portal itself. The name is null where the reader may not know it, and for support. */
            by: z.nullable(
              z.object({
                kind: z.enum(['you', 'owner', 'guest', 'key', 'support']),
                name: z.nullable(z.string()),
              }),
            ),
            from: z.nullable(z.string()),
            to: z.nullable(z.string()),
          }),
        ),
        more: z.boolean(),
      }),
    }),
    audit: action({
      method: 'GET',
      on: 'one',
      description:
        'What people did inside the panel, as its engine tells it, newest first, for 90 days; `cursor` continues. It is asked each time and not stored. Guests need the access to accounts, and read no addresses, no names of other guests and, unless they see all domains, not what it was done to. `engine_without_readings` where the engine offers none.',
      input: z.strictObject({ cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(500))) }),
      output: z.object({
        items: z.array(
          z.object({
            id: z.string(),
            at: z.string(),
            by: z.object({
              kind: z.enum(['you', 'owner', 'guest', 'key', 'support', 'system']),
              name: z.nullable(z.string()),
            }),
            /** In the words of the engine. */
            action: z.string(),
            target: z.nullable(z.string()),
            ip: z.nullable(z.string()),
          }),
        ),
        next: z.nullable(z.string()),
      }),
    }),
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
