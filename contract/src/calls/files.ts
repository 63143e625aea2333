import * as z from 'zod/mini'

/** The query parameters of an upload. */
export const uploadQuery = z.object({ filename: z.string().check(z.maxLength(1000)) })
