// The plans and regions of the example, and the checks of requests against them.

export type Fields = Record<string, unknown>

/** Why something is not done, as the contract says it. */
export type Fault = {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly exceeded?: readonly { limit: string; allowed: number; used: number }[]
}

type Limits = Readonly<Record<string, number | null>>

const everywhere = ['eu-example', 'us-example']
const plan = (code: string, name: string, domain: string, limits: Limits) => ({
  code,
  name,
  domain,
  regions: everywhere,
  limits,
})

/** A small panel has few things in it; a site stands for one domain and cannot be without. */
export const plans = [
  plan('standard', 'Standard', 'optional', { servers: 3, clusters: 1, domains: 10 }),
  plan('large', 'Large', 'optional', {}),
  plan('small', 'Small', 'none', { servers: 1, clusters: 0, domains: 2 }),
  plan('site', 'Site', 'required', { servers: 3, clusters: 1, domains: 5 }),
]

export const regions = [
  { code: 'eu-example', name: 'Example in Europe', open: true },
  { code: 'us-example', name: 'Example in America', open: false },
]

const isName = (text: string) =>
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)

const noSuchPlan = (code: unknown): Fault => ({
  code: 'no_such_plan',
  field: 'plan',
  message: `There is no plan ${String(code)}.`,
})

function regionFault(region: unknown): Fault | undefined {
  if (region === null) return undefined
  const known = regions.find(({ code }) => code === region)
  if (!known) return { code: 'no_such_region', field: 'region', message: 'There is no such region.' }
  return known.open ? undefined : { code: 'region_full', field: 'region', message: 'It is full.' }
}

function domainFault(rule: string, domain: unknown, taken: (domain: string) => boolean): Fault | undefined {
  if (domain === null)
    return rule === 'required'
      ? { code: 'domain_needed', field: 'domain', message: 'This plan needs a domain.' }
      : undefined
  if (rule === 'none' || typeof domain !== 'string' || !isName(domain))
    return { code: 'domain_invalid', field: 'domain', message: 'This is no domain for this plan.' }
  return taken(domain)
    ? { code: 'domain_taken', field: 'domain', message: 'Another panel has this domain.' }
    : undefined
}

/** The fault of a requested panel; undefined when it can be created. */
export function panelFault(
  { name, plan: code = null, region = null, domain = null }: Fields,
  taken: (domain: string) => boolean,
): Fault | undefined {
  if (typeof name !== 'string') return { code: 'name_invalid', field: 'name', message: 'A name is needed.' }
  const known = plans.find((one) => one.code === code)
  if (code !== null && !known) return noSuchPlan(code)
  return domainFault(known?.domain ?? 'optional', domain, taken) ?? regionFault(region)
}

/** The fault of a new plan for a panel with these contents; undefined when it fits. */
export function planFault(code: unknown, held: Readonly<Record<string, number>>): Fault | undefined {
  const known = plans.find((one) => one.code === code)
  if (!known) return noSuchPlan(code)
  const exceeded = Object.entries(known.limits).flatMap(([limit, allowed]) => {
    const used = held[limit] ?? 0
    return allowed !== null && used > allowed ? [{ limit, allowed, used }] : []
  })
  if (exceeded.length === 0) return undefined
  return {
    code: 'limit_exceeded',
    field: 'plan',
    message: 'The panel holds more than this plan allows.',
    exceeded,
  }
}
