import * as z from 'zod/mini'
import { integerId, line, moment, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'
import { apiKeyScopes, mostAllowedIps } from '../rules/api-key-scopes.ts'

/** An address, or a network in CIDR notation. */
export const addressOrNetwork = z.string().check(
  z.trim(),
  z.refine(
    (text) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((form) => z.safeParse(form, text).success),
    fault('api_address_invalid'),
  ),
)

const attributes = {
  client_id: integerId,
  /** The workspace that the key is limited to. */
  project_id: z.nullable(integerId),
  name: line(60, { required: fault('name_required') }),
  /** The first characters of the key, by which its owner recognizes it. */
  prefix: z.string(),
  /** The addresses and networks that may use the key, IPv4 and IPv6. */
  allowed_ips: z
    .array(addressOrNetwork)
    .check(
      z.minLength(1, fault('api_address_required')),
      z.maxLength(mostAllowedIps, fault('addresses_most', { most: mostAllowedIps })),
    ),
  /** The scopes of the key; `write` of a group includes `read`. */
  scopes: z
    .array(z.enum(apiKeyScopes))
    .check(z.minLength(1, fault('api_scope_required')), z.maxLength(apiKeyScopes.length)),
  expires_at: z.nullable(moment),
  revoked_at: z.nullable(moment),
  state: z.enum(['active', 'expired', 'revoked']),
  /** Updated at most once a minute. */
  last_used_at: z.nullable(moment),
  last_used_ip: z.nullable(z.string()),
  /** The key itself, only in the response to its creation. */
  secret: z.nullable(z.string()),
  ...stamps,
}

export const apiKeys = resource('api-keys', {
  description:
    'A key with which a program uses the data API as its owner, from the key’s addresses and within its scopes. At most 20 are active.',
  id: 'text',
  attributes,
  relationships: { project: toOne('projects', { nullable: true }) },
  create: ['name', 'allowed_ips', 'scopes', 'expires_at', 'project'],
  update: ['name', 'allowed_ips'],
  delete: true,
  sorts: ['createdAt', 'name'],
  actions: {
    revoke: action({
      method: 'POST',
      on: 'one',
      description: 'Revokes the key: its next request is refused. 409 when it was revoked before.',
      input: z.object({}),
      output: z.object({ revoked_at: moment }),
    }),
  },
})
