/** The scope groups of API keys: each is read, or read and write. Keys reach nothing outside them. */
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

/** The scope groups; each type that keys reach is in one. */
export type ApiKeyGroup = ApiKeyScope extends `${infer Group}:${string}` ? Group : never

/** Whether scopes allow reading a group. Write includes read. */
export const readsGroup = (scopes: readonly string[], group: ApiKeyGroup): boolean =>
  scopes.includes(`${group}:read`) || writesGroup(scopes, group)

/** Whether scopes allow writing a group. */
export const writesGroup = (scopes: readonly string[], group: ApiKeyGroup): boolean =>
  scopes.includes(`${group}:write`)

/** The maximum number of active keys of an account, and of addresses and networks of each. */
export const mostApiKeys = 20
export const mostAllowedIps = 50
