import * as z from 'zod/mini'
import { stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { clientFilter } from './desk-clients.ts'

export const clientExports = resource('client-exports', {
  description:
    'A list of clients that an administrator exported: who, which and how many. Needs a reason and a recent sign-in. `GET /client-exports/{id}/-actions/download` streams it as CSV to whoever asked for it, for an hour; later it is `export_ended`, and `export_of_others` for anyone else. `exports_busy` while two others run.',
  attributes: {
    filter: clientFilter,
    /** The clients when it was asked for. */
    count: z.int(),
    exported_by: z.string(),
    ...stamps,
  },
  create: ['filter'],
  sorts: ['createdAt'],
})
