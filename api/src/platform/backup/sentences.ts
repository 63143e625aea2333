import { CannotStart } from '#config/env.ts'
import { codeOf, isSqlState } from '#platform/db/sql-states.ts'

/** Failures of a folder that the operator can mend, by the system's error code. */
const reasons: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota of its disk is used up',
  EACCES: 'this account may not write there',
  EPERM: 'this account may not write there',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
}

/** Turns the failure of a disk into a sentence for the operator; returns any other error unchanged. */
export function explainDisk(error: unknown, folder: string): unknown {
  const reason = reasons[codeOf(error)]
  return reason === undefined
    ? error
    : new CannotStart(`Nothing was kept in ${folder}: ${reason}.`, { cause: error })
}

/** Turns a full disk of the database into a sentence for the operator; returns any other error unchanged. */
export function explainDatabase(error: unknown): unknown {
  if (!isSqlState(error, 'diskFull')) return error
  return new CannotStart('The database has no space left on its disk, so nothing was restored.', {
    cause: error,
  })
}
