import { type Problem, refuse } from '#platform/errors/problem.ts'

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])
const awayCodes = new Set([
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
  'ESTALE',
  'EFBIG',
])

/**
 * The refusal for a storage failure, by the system's error code: 507 when it is full, 503 otherwise.
 * Undefined for any other error.
 */
export function storageProblem(cause: unknown): Problem | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (awayCodes.has(code)) return storageAway(cause)
  if (fullCodes.has(code))
    return refuse(
      'storage_full',
      {},
      {
        headers: { 'retry-after': '300' },
        cause,
      },
    )
  return undefined
}

/** The refusal when the storage cannot be read or written, for any reason. */
export const storageAway = (cause: unknown): Problem =>
  refuse(
    'storage_unavailable',
    {},
    {
      headers: { 'retry-after': '30' },
      cause,
    },
  )
