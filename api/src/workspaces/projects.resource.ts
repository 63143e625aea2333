import { projects } from '@portico/contract/resources/projects.ts'
import { sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import { reason } from '#platform/errors/problem.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone, own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { throughWorkspace, workspace, workspaceOrBilling } from '#sharing/reach.ts'
import { archiveProject, projectCreated } from './projects.ts'

export default serve(projects, {
  table: 'projects',
  policy: {
    read: workspaceOrBilling('projects.client_id', 'projects.id'),
    // Guests with billing access need workspaces as a filter, and see only the fields for that.
    part: {
      whole: workspace('projects.client_id', 'projects.id'),
      fields: ['name'],
      concerns: ({ grants }, owner) => grants.some((one) => one.owner === owner && one.billing),
    },
    create: everyone,
    update: own('projects.client_id'),
    delete: own('projects.client_id'),
    addPanel: workspace('projects.client_id', 'projects.id', 'add_panels', throughWorkspace.refusal),
  },
  present: (eb) => eb('projects.archived_at', 'is', null),
  account: 'client_id',
  keys: {
    group: 'projects',
    alsoReadBy: ['panels'],
    inProject: (project) => sql`projects.id = ${project}`,
    // A program must not learn who else has access to a workspace.
  },
  fill: ({ actor }) => ({ client_id: actor.id }),
  relationships: { client: 'client_id', panels: { foreignKey: 'project_id' } },
  filters: {
    client_id: 'client_id',
    search: (eb, value) => contains(eb.ref('projects.name'), value),
  },
  order: 'createdAt',
  constraints: {
    projects_name_taken: { field: 'name', refusal: reason('workspace_name_taken') },
  },
  created: async (context, row) => {
    await projectCreated(context, row)
    await noteAct(context, { kind: 'workspace-added', owner: row.client_id, about: row.name })
  },
  updated: async (context, { client_id: owner, name }, before) => {
    if (name !== before.name)
      await noteAct(context, {
        kind: 'workspace-renamed',
        owner,
        about: name,
        details: { from: before.name },
      })
  },
  remove: async (context, row) => {
    await archiveProject(context, row)
    await noteAct(context, { kind: 'workspace-deleted', owner: row.client_id, about: row.name })
  },
})
