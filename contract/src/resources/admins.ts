import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const admins = resource('admins', {
  description:
    'A staff member, as far as clients may see one: only the authors in tickets that the client reads.',
  attributes: { display_name: z.string() },
  sorts: ['display_name'],
})
