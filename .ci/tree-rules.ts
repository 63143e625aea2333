import path from 'node:path'
import { rooms, tops } from './directions.ts'
import type { Violation } from './rule.ts'

const inRoom = new RegExp(`^api/src/(${[...rooms, ...tops].join('|')})/`)

/** A folder with more files than this, tests aside, has more than one subject. */
const mostInFolder = 16
const isCounted = (file: string) => /^(api|web|contract)\/src\/.*(?<![.]test|[.]test-d)[.]tsx?$/.test(file)

/** A list of one file for each JSON:API type, found by the name of the type. */
const typesFolder = 'contract/src/resources'

/** The maximum number of names in the path of a file, its own included. */
function deepest(file: string): number {
  if (file.startsWith('api/src/')) return 7
  return file.startsWith('web/src/screens/') ? 6 : 5
}

/** The violations in the places and names of files. */
export function treeViolations(files: readonly string[]): Violation[] {
  const whole = (file: string, rule: string, detail: string) => ({ path: file, line: 0, rule, detail })
  const numbered = files.filter((file) =>
    /^(api\/src\/platform\/db\/migrations|docs\/decisions)\/\d/.test(file),
  )
  const numberOf = (file: string) => `${path.dirname(file)}/${path.basename(file).slice(0, 4)}`
  const counts = Map.groupBy(numbered, numberOf)
  return [
    ...files
      .filter((file) => file.split('/').length > deepest(file))
      .map((file) =>
        whole(
          file,
          'depth',
          'Folders go three below their workspace; a screen may have parts, a room of the server three.',
        ),
      ),
    ...files
      .filter((file) => file.startsWith('api/src/') && !inRoom.test(file))
      .map((file) => whole(file, 'in a room', `Put it in one of ${[...rooms, ...tops].join(', ')}.`)),
    ...[...Map.groupBy(files.filter(isCounted), (file) => path.dirname(file))]
      .filter(([folder, { length }]) => length > mostInFolder && folder !== typesFolder)
      .map(([folder, { length }]) =>
        whole(folder, 'one subject a folder', `${length} files: split it by subject.`),
      ),
    ...numbered
      .filter((file) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.(sql|md)$/.test(path.basename(file)))
      .map((file) => whole(file, 'numbered', 'Call it NNNN-what-it-does.')),
    ...[...counts.values()]
      .filter(({ length }) => length > 1)
      .map((same) => whole(same.join(', '), 'numbered', 'They have the same number.')),
  ]
}
