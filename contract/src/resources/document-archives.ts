import * as z from 'zod/mini'
import { day, moment, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'

/** The most documents of an archive. */
export const mostArchived = 50_000

export const documentArchives = resource('document-archives', {
  description: `The invoices and credit notes of all clients in a period, as one ZIP that a job packs: at most ${mostArchived}, as \`archive_documents_most\` says, and \`archive_empty\` without any. \`GET /document-archives/{id}/-actions/download\` sends it to whoever asked for it, for an hour after it was packed: \`archive_not_ready\` before, \`export_ended\` later, and \`export_of_others\` for anyone else. \`archive_running\` while another of the same person is packed.`,
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
    exported_by: z.string(),
    ...stamps,
  },
  create: ['from_day', 'to_day', 'format'],
  sorts: ['createdAt'],
})
