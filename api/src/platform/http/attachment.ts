import { create } from 'content-disposition'

// Some browsers and proxies decode `%2f` even where it is a literal part of a name.
const escapeLike = /%(?=[\da-f]{2})/gi

/** The Content-Disposition header that makes the browser save the response under this file name. */
export const attachment = (filename: string): string => create(filename.replaceAll(escapeLike, '_'))
