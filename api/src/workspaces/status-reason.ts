import { readsGroup } from '@portico/contract/rules/api-key-scopes.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { among } from '#sharing/reach.ts'
import { isInTrouble } from './panel-state.ts'

/** Whether the actor reads the billing of the panel's account: an unpaid bill is nobody else's business. */
function readsBilling(actor: SymbolicActor): Expression<SqlBool> {
  const opened = among('panels.client_id', actor, ({ owners }) => owners('billing'))
  return actor.key
    ? sql<SqlBool>`(${opened} and ${actor.key.says(({ scopes }) => readsGroup(scopes, 'billing'))})`
    : opened
}

const ofSuspension = sql`jsonb_build_object('others', 0, 'resource', null, 'code', case
      when panels.suspended_at is null then 'engine'
      when panels.suspend_reason in ('unpaid', 'trial_ended') then panels.suspend_reason
      else 'operator' end)`

/** The reason of a panel's status. Staff do not see what is in a panel, so they read only why it is suspended. */
export const statusReason = (actor: SymbolicActor): Expression<unknown> =>
  actor.staff
    ? sql`case when panels.status = 'suspended' then ${ofSuspension} end`
    : sql`case
    when panels.status = 'degraded' then coalesce(
      (select jsonb_build_object('code', 'resource', 'others', count(*) over () - 1, 'resource', jsonb_build_object(
          'kind', r.kind, 'name', r.name, 'status', r.status, 'cpu_percent', r.spec -> 'cpu_percent'))
        from panel_resources r where r.panel_id = panels.id and ${isInTrouble}
        order by r.status = 'error' desc, r.name, r.id limit 1),
      '{"code": "engine", "others": 0, "resource": null}')
    when panels.status = 'suspended' and ${readsBilling(actor)} then ${ofSuspension}
  end`
