import * as z from 'zod/mini'

/** Under /api/v1. The bytes of a file go up as a body of their own, and come down so. */
export const fileLocation = {
  /** POST with `filename` in the query; answers the resource of type `ticket-files`. */
  upload: '/ticket-files/-actions/upload',
  /** GET. */
  download: '/ticket-files/:id/-actions/download',
} as const

/** The query of an upload. */
export const uploadQuery = z.object({ filename: z.string().check(z.maxLength(1000)) })
