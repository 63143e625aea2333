import { plans, regions } from './offers.ts'
import { verbs } from './power.ts'

const first = {
  provision: true,
  suspend: true,
  sso: true,
  events: true,
  domain_scopes: true,
  usage: 'push',
  kinds: ['server', 'cluster', 'domain'],
  plans: plans.map(({ code }) => code),
}

/** The capabilities of the example; those that are not in `first` came with contract 1.1. */
export const capabilities = {
  ...first,
  check: true,
  change_plan: true,
  list: true,
  adopt: true,
  series: true,
  audit: true,
  owner_email: true,
  power: verbs,
  domain: 'optional',
  regions,
  plan_details: plans,
}
