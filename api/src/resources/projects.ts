import { projects } from '@portico/contract/resources/projects.ts'
import { serve } from '../jsonapi/serve.ts'
import { archiveProject, projectCreated } from '../services/projects.ts'
import { contains } from './contains.ts'

export default serve(projects, {
  table: 'projects',
  visible: (eb, actor) =>
    eb.and([
      eb('projects.archived_at', 'is', null),
      eb('projects.client_id', '=', eb.fn.any(actor.owners('my_workspaces'))),
    ]),
  account: 'client_id',
  may: {
    update: (actor, row) => row.client_id === actor.id || 'Only the owner may rename a workspace.',
    delete: (actor, row) => row.client_id === actor.id || 'Only the owner may delete a workspace.',
  },
  fill: ({ actor }) => ({ client_id: actor.id }),
  relationships: { client: 'client_id', panels: { foreignKey: 'project_id' } },
  filters: {
    client_id: 'client_id',
    search: (eb, value) => contains(eb.ref('projects.name'), value),
  },
  order: 'createdAt',
  constraints: {
    projects_name_taken: { field: 'name', detail: 'You already have a workspace of this name.' },
  },
  created: projectCreated,
  remove: archiveProject,
})
