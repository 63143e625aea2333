import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Connection } from '../../api/src/platform/db/connection.ts'
import { tokenSecret, urlOf } from '../support/portal.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Said = { readonly stdout: string; readonly stderr: string }

/**
 * Runs `npm run verify` as an operator does, on the ledger and on the stored files of `dataDir`. Returns its lines, and what
 * they say is wrong; a run without a file has shown nothing about files, and is wrong too.
 */
export async function verifyAll(
  connection: Connection,
  dataDir: string,
): Promise<{ readonly lines: readonly string[]; readonly faults: readonly string[] }> {
  const env = {
    ...process.env,
    DATABASE_URL: urlOf(connection),
    DATA_DIR: dataDir,
    SEED: 'none',
    TOKEN_SECRET: tokenSecret,
  }
  const run = promisify(execFile)(process.execPath, ['api/src/commands/verify.ts'], { cwd: root, env })
  const failed = ({ stdout, stderr }: Said) => ({ stdout, stderr, ok: false })
  const { stdout, stderr, ok } = await run.then((said) => ({ ...said, ok: true }), failed)
  const lines = (stdout + stderr).trim().split('\n')
  const read = Number(/^(\d+) files read/m.exec(stdout)?.[1] ?? 0)
  return {
    lines: lines.slice(-2),
    faults: [
      ...(ok ? [] : [`npm run verify failed: ${lines.join('; ')}`]),
      ...(read > 0 ? [] : ['npm run verify read no file']),
    ],
  }
}
