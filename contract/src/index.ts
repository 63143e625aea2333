import type * as z from 'zod/mini'
import type { Relationship, Resource } from './jsonapi.ts'
import { accountBalances } from './resources/account-balances.ts'
import { admins } from './resources/admins.ts'
import { billingProfiles } from './resources/billing-profiles.ts'
import { clientEntities } from './resources/client-entities.ts'
import { clients } from './resources/clients.ts'
import { clusters } from './resources/clusters.ts'
import { counties } from './resources/counties.ts'
import { countries } from './resources/countries.ts'
import { currencies } from './resources/currencies.ts'
import { domains } from './resources/domains.ts'
import { panels } from './resources/panels.ts'
import { projects } from './resources/projects.ts'
import { servers } from './resources/servers.ts'

/** Every JSON:API type of the portal, one line each. */
export const registry = {
  'account-balances': accountBalances,
  admins,
  'billing-profiles': billingProfiles,
  'client-entities': clientEntities,
  clients,
  clusters,
  counties,
  countries,
  currencies,
  domains,
  panels,
  projects,
  servers,
} as const

export type Registry = typeof registry
export type TypeName = keyof Registry

/** Fails to compile when a relationship points to a type that is not in the registry, or a key is not its type's name. */
type Targets = { [T in TypeName]: Registry[T]['relationships'][keyof Registry[T]['relationships']] }[TypeName]
type Unknown = Exclude<Targets extends Relationship ? Targets['type'] : never, TypeName>
registry satisfies { [T in TypeName]: Resource<T> } & ([Unknown] extends [never] ? unknown : never)

/** The attributes of a type, as they are read. */
export type Attributes<T extends TypeName> = {
  [K in keyof Registry[T]['attributes']]: z.output<Registry[T]['attributes'][K]>
}
/** The names of the relationships of a type. */
export type RelationshipName<T extends TypeName> = keyof Registry[T]['relationships'] & string
export type ActionName<T extends TypeName> = keyof Registry[T]['actions'] & string
