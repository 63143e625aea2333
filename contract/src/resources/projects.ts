import { idParameter, integerId, line, searchParameter, stamps } from '../fields.ts'
import { resource, toMany, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

/** The maximum length of a workspace's name. */
export const workspaceNameMax = 16

export const projects = resource('projects', {
  description: 'A workspace: the named place that holds panels. Deleting archives it.',
  attributes: {
    name: line(workspaceNameMax, { required: fault('project_name_required') }),
    client_id: integerId,
    ...stamps,
  },
  relationships: { panels: toMany('panels'), client: toOne('clients') },
  create: ['name'],
  update: ['name', 'panels'],
  delete: true,
  filters: { client_id: idParameter, search: searchParameter },
  sorts: ['name', 'createdAt'],
  abilities: ['addPanel'],
})
