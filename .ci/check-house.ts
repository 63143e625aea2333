import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { fileViolations } from './house.ts'
import { treeViolations } from './tree-rules.ts'

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
const files = listed.split('\0').filter((file) => file !== '' && fs.existsSync(file))
// Generated from the database, so not subject to the rules.
const generated = ['api/src/platform/db/types.ts', 'api/src/platform/db/columns.ts']

const violations = [
  ...treeViolations(files),
  ...files
    .filter((file) => !generated.includes(file))
    .flatMap((file) => fileViolations(file, fs.readFileSync(file, 'utf8'))),
]

for (const { path, line, rule, detail } of violations) console.error(`${path}:${line}  ${rule}: ${detail}`)
console.log(`House: ${files.length} files, ${violations.length} violations.`)
process.exitCode = violations.length === 0 ? 0 : 1
