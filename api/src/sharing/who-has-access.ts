import { type RawBuilder, sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'

type Asking = Pick<Context, 'tx' | 'now'>

type Reach = {
  invitation_id: number
  permission_id: number
  full_name: string
  invited_email: string
  accepted: boolean
  by: 'all' | 'workspace' | 'panel'
  add_panels: boolean
  delete_panels: boolean
}

/** People whom a view of what is open names, each with the part of their permission that opens it. */
async function people({ tx, now }: Asking, view: RawBuilder<unknown>, by: RawBuilder<unknown>) {
  const { rows } = await sql<Reach>`
    select i.id as invitation_id, i.permission_id, i.full_name, i.invited_email::text as invited_email, i.accepted,
      ${by} as by, s.add_panels, s.delete_panels
    from ${view} s
    join share_permissions p on p.id = s.permission_id and (p.expires_at is null or p.expires_at > ${now.toISOString()})
    join share_invitations i on i.permission_id = s.permission_id
    order by i.full_name, i.id`.execute(tx)
  return { people: rows }
}

/** Who but the owner reaches a workspace, or will when they accept, and why. */
export async function whoReachesProject(context: Asking, { id }: RowOf<'projects'>) {
  return people(
    context,
    sql`(select * from shared_workspaces where project_id = ${id})`,
    sql`case when s.workspace_resources = 'all' then 'all' else 'workspace' end`,
  )
}

/** Who but the owner reaches a panel, or will when they accept, and why. */
export async function whoReachesPanel(context: Asking, { id }: RowOf<'panels'>) {
  return people(
    context,
    sql`(select * from shared_panels where panel_id = ${id})`,
    sql`case when s.workspace_resources = 'all' then 'all' when s.access_type = 'all' then 'workspace' else 'panel' end`,
  )
}
