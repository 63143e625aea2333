/** What an API key may be given, group by group: to read, or to read and write. What is not here no key is given. */
export const apiKeyScopes = [
  'projects:read',
  'projects:write',
  'panels:read',
  'panels:write',
  'usage:read',
  'billing:read',
  'billing:write',
  'tickets:read',
  'tickets:write',
] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** What the scopes are about; each type that keys reach is of one. */
export type ApiKeyGroup = ApiKeyScope extends `${infer Group}:${string}` ? Group : never

/** Whether scopes let read what is of a group. Who may write may read. */
export const readsGroup = (scopes: readonly string[], group: ApiKeyGroup): boolean =>
  scopes.includes(`${group}:read`) || writesGroup(scopes, group)

/** Whether scopes let write what is of a group. */
export const writesGroup = (scopes: readonly string[], group: ApiKeyGroup): boolean =>
  scopes.includes(`${group}:write`)

/** How many keys of an account may be in use at once, and from how many addresses and networks each. */
export const mostApiKeys = 20
export const mostAllowedIps = 50
