import * as z from 'zod/mini'

/** What staff mark a client with, for each other; the client never reads it. */
export const clientFlag = z.enum(['vip', 'partner', 'pays_late', 'watch', 'test'])
