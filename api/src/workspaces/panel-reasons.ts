import { type Expression, sql } from 'kysely'
import type { SymbolicActor } from '#platform/jsonapi/declare/symbolic-actor.ts'
import { domainOfPanel } from '#sharing/reach.ts'

const most = 20

/**
 * The reasons that the engine gives for a panel and its resources, oldest first, each reason once. Staff read the words of
 * the engine and no names; everyone else the names, and nothing about domains that they do not see.
 */
export const panelReasons = (actor: SymbolicActor): Expression<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('code', said.code, 'since', said.since,
    'resource', ${actor.staff ? sql`null` : sql`said.name`}, 'text', ${actor.staff ? sql`said.text` : sql`null`})
    order by said.since, said.code), '[]')
  from (select distinct on (one.of, one.code) one.* from (
      select x ->> 'code' as code, x ->> 'since' as since, x ->> 'text' as text, x ->> 'resource' as of,
        panel_resources.id as resource_id, panel_resources.kind, panel_resources.name
      from jsonb_array_elements(panels.engine_reasons) x left join panel_resources
        on panel_resources.panel_id = panels.id and panel_resources.gone_at is null
        and panel_resources.kind || '/' || panel_resources.external_id = x ->> 'resource'
      where panel_resources.kind is distinct from 'domain' or ${domainOfPanel(actor)}
      union all
      select x ->> 'code', x ->> 'since', x ->> 'text', panel_resources.kind || '/' || panel_resources.external_id,
        panel_resources.id, panel_resources.kind, panel_resources.name
      from panel_resources cross join jsonb_array_elements(panel_resources.reasons) x
      where panel_resources.panel_id = panels.id and panel_resources.gone_at is null and panel_resources.reasons <> '[]'
        and (panel_resources.kind <> 'domain' or ${domainOfPanel(actor)})
    ) one order by one.of, one.code, one.since limit ${sql.lit(most)}) said)`
