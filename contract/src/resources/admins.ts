import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const admins = resource('admins', {
  description:
    'A member of staff, as far as a client may know of one: only those who wrote in a ticket the client reads.',
  attributes: { display_name: z.string() },
  sorts: ['display_name'],
})
