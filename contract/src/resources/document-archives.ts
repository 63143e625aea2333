import * as z from 'zod/mini'
import { day, moment, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'

/** The most documents of an archive. */
export const mostArchived = 5000

export const documentArchives = resource('document-archives', {
  description: `The invoices and credit notes of all clients in a period, as one ZIP that a job packs for whoever asks, with a reason and a recent sign-in: at most ${mostArchived}, as \`archive_most\` says, and \`archive_empty\` without any. \`GET /document-archives/{id}/-actions/download\` sends it for an hour after it was packed: \`archive_not_ready\` before, \`archive_failed\` if that could not be done, and \`export_ended\` later. \`archive_running\` while another of the same person is packed; ten a day, as \`archives_in_a_day\` says.`,
  attributes: {
    /** Both days are part of the period. */
    from_day: day,
    /** At most a year after the first. */
    to_day: day,
    format: z.enum(['pdf', 'xml']),
    status: z.enum(['waiting', 'running', 'ready', 'failed', 'removed']),
    /** The documents that are packed, and their number. */
    done: z.int(),
    total: z.int(),
    /** Documents whose file is damaged or missing; a text in the archive names them. */
    lacking: z.int(),
    /** In bytes. */
    size: z.nullable(z.int()),
    /** Until when it can be downloaded. */
    expires_at: z.nullable(moment),
    ...stamps,
  },
  create: ['from_day', 'to_day', 'format'],
  sorts: ['createdAt'],
})
