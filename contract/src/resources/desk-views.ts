import * as z from 'zod/mini'
import { line, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { clientFilter } from './desk-clients.ts'

/** A search may name a person, whose details could not be erased from here. */
const keptFilter = z.omit(clientFilter, { search: true })

/** The most views of one person. */
export const mostViews = 30

export const deskViews = resource('desk-views', {
  description: `Filters of the list of clients under a name, without the search, for the member of staff who kept them: at most ${mostViews}. \`view_name_taken\` for a second one of a name.`,
  attributes: { name: line(60), filter: keptFilter, ...stamps },
  create: ['name', 'filter'],
  delete: true,
  sorts: ['name', 'createdAt'],
})
