const bare = (tag: string) => tag.trim().replace(/^W\//, '')

/** Whether an If-None-Match header matches this tag by weak comparison (RFC 9110, 13.1.2). */
export const matchesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || bare(one) === bare(tag)) ?? false
