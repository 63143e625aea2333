import { create } from 'content-disposition'

// Some browsers and proxies decode `%2f` even where it is a plain part of a name.
const escapeLike = /%(?=[\da-f]{2})/gi

/** The Content-Disposition header that has a browser keep the answer as a file of this name. */
export const attachment = (filename: string): string => create(filename.replaceAll(escapeLike, '_'))
