const megabyte = 1_048_576

/** The limits for attachments, in files and bytes. */
export const fileLimits = {
  each: 10 * megabyte,
  perMessage: 25 * megabyte,
  filesPerMessage: 5,
  perAccount: 500 * megabyte,
} as const

/** The extensions of allowed attachments. */
export const fileExtensions = [
  'png',
  'jpg',
  'jpeg',
  'webp',
  'gif',
  'pdf',
  'zip',
  'txt',
  'log',
  'csv',
  'json',
] as const
export type FileExtension = (typeof fileExtensions)[number]

/** The extension of a name in lower case, if such files may be attached. */
export function extensionOf(name: string): FileExtension | undefined {
  const found = /[^.]\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase()
  return fileExtensions.find((extension) => extension === found)
}
