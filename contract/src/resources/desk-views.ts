import { line, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { clientFilter } from './desk-clients.ts'

/** The most views of one person. */
export const mostViews = 30

export const deskViews = resource('desk-views', {
  description: `Filters of the list of clients under a name, for the member of staff who kept them: at most ${mostViews}. \`view_name_taken\` for a second one of a name.`,
  attributes: { name: line(60), filter: clientFilter, ...stamps },
  create: ['name', 'filter'],
  delete: true,
  sorts: ['name', 'createdAt'],
})
