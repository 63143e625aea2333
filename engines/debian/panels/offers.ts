import type { Fault } from '../refusal.ts'

// The plans: what a panel may hold, and what it begins with.

export type Size = { readonly vcpus: number; readonly memoryMb: number; readonly diskMb: number }
type First = { readonly name: string; readonly cluster?: string }
type Limits = Readonly<Record<string, number | null>>

export type Plan = {
  readonly code: string
  readonly name: string
  readonly domain: 'none' | 'optional' | 'required'
  readonly regions: readonly string[]
  readonly limits: Limits
  readonly first: readonly First[]
}

/** The nodes that a cluster may have. */
export const mostNodes = 5

export const sizes = {
  s: { vcpus: 1, memoryMb: 256, diskMb: 1024 },
  m: { vcpus: 1, memoryMb: 1024, diskMb: 4096 },
  l: { vcpus: 2, memoryMb: 2048, diskMb: 8192 },
} satisfies Record<string, Size>

const small = { servers: 2, clusters: 0, domains: 5, vcpus: 2, memory_gb: 2, disk_gb: 8 }
const large = { servers: 8, clusters: 2, vcpus: 16, memory_gb: 16, disk_gb: 64 }
const servers = [{ name: 'web-1' }]
const nodes = [1, 2].map((node) => ({ name: `cluster-1-${node}`, cluster: 'cluster-1' }))

export function plansIn(region: string): readonly Plan[] {
  const regions = [region]
  return [
    {
      code: 'large',
      name: 'Large',
      domain: 'optional',
      regions,
      limits: large,
      first: [...servers, ...nodes],
    },
    { code: 'small', name: 'Small', domain: 'optional', regions, limits: small, first: servers },
    { code: 'site', name: 'Site', domain: 'required', regions, limits: small, first: servers },
    { code: 'empty', name: 'Empty', domain: 'optional', regions, limits: small, first: [] },
  ]
}

/** The plan of a panel; one that was made without a plan has the small one. */
export function planNamed(plans: readonly Plan[], code: string | null): Plan {
  const plan = plans.find((one) => one.code === (code ?? 'small'))
  if (!plan) throw new Error(`There is no plan ${code}.`)
  return plan
}

/** The limits of a plan as LXD holds them; it refuses what goes beyond. */
export function projectLimits({ limits }: Plan): Record<string, string> {
  const containers = (limits.servers ?? 0) + (limits.clusters ?? 0) * mostNodes
  return {
    'limits.containers': String(containers),
    'limits.virtual-machines': '0',
    'limits.cpu': String(limits.vcpus ?? 0),
    'limits.memory': `${(limits.memory_gb ?? 0) * 1024}MiB`,
    'limits.disk': `${(limits.disk_gb ?? 0) * 1024}MiB`,
    'limits.processes': String(containers * 500),
  }
}

export const noSuchPlan = (code: unknown): Fault => ({
  code: 'no_such_plan',
  field: 'plan',
  message: `There is no plan ${String(code)}.`,
})

/** The limits that a panel with this use would exceed; undefined when the plan fits. */
export function limitFault(plan: Plan, used: Readonly<Record<string, number>>): Fault | undefined {
  const exceeded = Object.entries(plan.limits).flatMap(([limit, allowed]) => {
    const now = used[limit] ?? 0
    return allowed !== null && now > allowed ? [{ limit, allowed, used: now }] : []
  })
  if (exceeded.length === 0) return undefined
  return {
    code: 'limit_exceeded',
    field: 'plan',
    message: 'The panel holds more than this plan allows.',
    exceeded,
  }
}
