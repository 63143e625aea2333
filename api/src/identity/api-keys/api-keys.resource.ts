import { apiKeys } from '@portico/contract/resources/api-keys.ts'
import { sql } from 'kysely'
import type { Actor, RowOf } from '#platform/context.ts'
import { reason } from '#platform/errors/problem.ts'
import { everyone, own, type Verdict } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { keyChanged, keyCreated, networksOf, newKey, newSecret, removeKey, revokeKey } from './api-keys.ts'

const unlessRevoked = (_: Actor, { revoked_at }: RowOf<'api_keys'>): Verdict =>
  revoked_at === null || reason('api_key_revoked')

export default serve(apiKeys, {
  table: 'api_keys',
  policy: {
    read: own('api_keys.client_id'),
    create: everyone,
    update: own('api_keys.client_id'),
    delete: own('api_keys.client_id'),
    revoke: own('api_keys.client_id'),
  },
  account: 'client_id',
  views: 'never',
  columns: {
    state: () => sql`case when api_keys.revoked_at is not null then 'revoked'
      when api_keys.expires_at <= now() then 'expired' else 'active' end`,
    // Not stored; only the response to the creation contains it.
    secret: () => sql`null::text`,
  },
  may: { update: unlessRevoked },
  fill: newKey,
  once: newSecret,
  spread: {
    allowed_ips: (all) => ({ allowed_ips: networksOf(all) }),
    scopes: (all) => ({ scopes: [...new Set(all)] }),
  },
  relationships: { project: 'project_id' },
  order: '-createdAt',
  constraints: {
    api_key_of_owner: { field: 'project', refusal: reason('api_key_workspace_not_own') },
  },
  created: keyCreated,
  updated: keyChanged,
  remove: removeKey,
  actions: {
    revoke: (context, { row }) => revokeKey(context, row),
  },
})
