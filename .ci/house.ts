import path from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { columnsAreNamed } from './columns-rule.ts'
import { inFolders, isTest, type Report, type Rule, type Source, type Violation } from './rule.ts'
import { sqlViolations } from './sql-rules.ts'
import { staffSettingsHaveOneHome } from './staff-settings-rule.ts'

const anywhere = () => true

/** How many lines above an assertion its reason may be. */
const reach = 12

/** Whether an assertion silences the compiler completely: `as never`, or `as unknown as T`. */
function isForced({ expression, typeAnnotation }: { expression: Node; typeAnnotation: Node }): boolean {
  const viaUnknown =
    expression.type === 'TSAsExpression' && expression.typeAnnotation.type === 'TSUnknownKeyword'
  return typeAnnotation.type === 'TSNeverKeyword' || viaUnknown
}

const forcedTypesHaveReasons: Rule = {
  name: 'no `as never` or `as unknown as` without a reason',
  on: anywhere,
  visit: ({ comments, lineAt }, report) => ({
    TSAsExpression(node) {
      const from = lineAt(node.start) - reach
      const to = lineAt(node.end)
      const said = comments.some(({ start, end }) => lineAt(end) >= from && lineAt(start) <= to)
      if (isForced(node) && !said)
        report(node, 'Say above it why the type is known better than the compiler knows it.')
    },
  }),
}

const typesAreImported: Rule = {
  name: 'no inline import() of a type',
  on: anywhere,
  visit: (_, report) => ({
    TSImportType: (node) => report(node, 'Write `import type`, which the check of directions can see.'),
  }),
}

const registries = ['contract/src/index.ts', 'api/src/start/registry.ts']

/** Re-exporting parts of a package under our names is allowed; our own files are imported directly. */
const isOurs = (from: { value: string } | null) => from !== null && /^(\.|@portico\/)/.test(from.value)

const noBarrels: Rule = {
  name: 'no barrels',
  on: (file) => !registries.includes(file),
  visit: (_, report) => ({
    ExportAllDeclaration(node) {
      if (isOurs(node.source)) report(node, 'Import the file itself.')
    },
    ExportNamedDeclaration(node) {
      if (isOurs(node.source)) report(node, 'Import the file itself.')
    },
  }),
}

const subpathsNotClimbs: Rule = {
  name: 'no climb out of a folder',
  on: (file) => file.startsWith('api/src/'),
  visit: (_, report) => ({
    ImportDeclaration({ source }) {
      if (source.value.startsWith('../')) report(source, 'Import it by its subpath: #room/file.ts.')
    },
  }),
}

/** Code that deals with machines and other programs, which needs the real time. */
const outside =
  /^api\/src\/platform\/(?!jobs|jsonapi)|^api\/src\/(money\/payments\/providers|workspaces\/engines)\//

const oneClock: Rule = {
  name: 'one clock',
  on: (file) => inFolders(/^api\/src\/(?!commands|config|start)/)(file) && !outside.test(file),
  visit(_, report) {
    const detail = 'Take the time from the clock that was handed in, so that a test can move it.'
    return {
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
          report(node, detail)
      },
      MemberExpression({ object, property, start }) {
        if (object.type !== 'Identifier' || object.name !== 'Date') return
        if (property.type === 'Identifier' && property.name === 'now') report(start, detail)
      },
    }
  },
}

/** Files of which all that they do belongs to a request, whose transaction names who writes and why. */
const ofRequests = /^api\/src\/(?:.*\.(?:resource|routes)\.ts$|desk\/verbs\/|money\/corrections\/)/

const oneTransaction: Rule = {
  name: 'one transaction of a request',
  on: (file) => inFolders(/^api\/src\//)(file) && ofRequests.test(file),
  visit: (_, report) => ({
    MemberExpression({ property }) {
      if (property.type === 'Identifier' && property.name === 'transaction')
        report(property, 'Write in the transaction of the request, which names the action of staff.')
    },
  }),
}

const linksAreChecked: Rule = {
  name: 'no URL of ours outside routes.ts',
  on: (file) => inFolders(/^web\/src\//)(file) && file !== 'web/src/routes.ts',
  visit(_, report) {
    const check = (name: string | undefined, value: Node | null) => {
      const isPath =
        value?.type === 'Literal' && typeof value.value === 'string' && /^\/(?!\/)/.test(value.value)
      if (isPath && name && ['href', 'to'].includes(name)) report(value, "Write href('name', { … }).")
    }
    return {
      JSXAttribute: (node) =>
        check(node.name.type === 'JSXIdentifier' ? node.name.name : undefined, node.value),
      Property: (node) => check(node.key.type === 'Identifier' ? node.key.name : undefined, node.value),
    }
  },
}

const namedAsItsType: Rule = {
  name: 'a type is declared in the file of its name',
  on: inFolders(/^contract\/src\/resources\//),
  visit: ({ path: file }, report) => ({
    CallExpression({ callee, arguments: [type] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'resource' || type?.type !== 'Literal') return
      if (type.value !== path.basename(file, '.ts')) report(type, `Move it to ${String(type.value)}.ts.`)
    },
  }),
}

const testsAssert: Rule = {
  name: 'no test without an assertion',
  on: (file) => /\.(test|spec)\.tsx?$/.test(file),
  visit: ({ text }, report) => ({
    CallExpression({ callee, arguments: args, start }) {
      if (!/^(test|it)\b/.test(text.slice(callee.start, callee.end)) || args.length < 2) return
      const body = args.findLast(({ type }) => /^(Arrow)?FunctionExpression$/.test(type))
      if (body && !/\b(expect|assert)\w*\s*[.(<]/.test(text.slice(body.start, body.end)))
        report(start, 'Nothing is expected: a test that cannot fail shows nothing.')
    },
  }),
}

const foundAsPeopleDo: Rule = {
  name: 'found by role, label and text',
  on: (file) => file.startsWith('e2e/'),
  visit: (_, report) => ({
    CallExpression({ callee, arguments: [selector] }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      const isCss = name === 'locator' && selector?.type === 'Literal' && typeof selector.value === 'string'
      // The document itself has no role: its language, theme and head are found by element.
      if (isCss && /^(html|body|head|link|meta|script|style|title)\b/.test(String(selector.value))) return
      if (isCss || name === 'getByTestId') report(callee.property, 'Find it by role, label or text.')
    },
  }),
}

const rules: readonly Rule[] = [
  forcedTypesHaveReasons,
  typesAreImported,
  noBarrels,
  subpathsNotClimbs,
  oneClock,
  oneTransaction,
  linksAreChecked,
  namedAsItsType,
  testsAssert,
  foundAsPeopleDo,
  columnsAreNamed,
  staffSettingsHaveOneHome,
]

/** The text of comments, adjacent line comments joined, without directives for tools. */
function sentences({ text, comments }: Source): { at: number; said: string }[] {
  const joined: { at: number; said: string; end: number }[] = []
  for (const { type, value, start, end } of comments) {
    const said = value.replace(/^\s*\*+/gm, '').trim()
    if (/^(biome-ignore|@|#|\/|v8 |vite-ignore)/.test(said)) continue
    const before = joined.at(-1)
    if (
      type === 'Line' &&
      before &&
      /^\n?[ \t]*\n?[ \t]*$/.test(text.slice(before.end, start)) &&
      isAlone(text, before.at)
    ) {
      before.said += ` ${said}`
      before.end = end
    } else joined.push({ at: start, said, end })
  }
  return joined
}

/** Whether only white space precedes the offset on its line. */
function isAlone(text: string, offset: number): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset))
}

function unfinished(source: Source): { at: number; detail: string }[] {
  return sentences(source)
    .filter(
      ({ said }) =>
        said.split(/\s+/).length >= 4 && !/[.?!:…][)\]'"`”*]*$/.test(said) && !/:\/\/\S+$/.test(said),
    )
    .map(({ at, said }) => ({
      at,
      detail: `A comment is a sentence, full stop included: …${said.slice(-40)}`,
    }))
}

function lines(text: string): (offset: number) => number {
  const starts = [0]
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1)
  return (offset) => {
    const next = starts.findIndex((start) => start > offset)
    return next === -1 ? starts.length : next
  }
}

function sourceViolations(file: string, text: string): Violation[] {
  const { program, comments, errors } = parseSync(file, text)
  const lineAt = lines(text)
  const source = { path: file, text, comments, lineAt }
  const found = errors.map(({ message }) => ({ path: file, line: 0, rule: 'is parsed', detail: message }))
  for (const { name, on, visit } of rules) {
    if (!on(file)) continue
    const report: Report = (at, detail) =>
      found.push({ path: file, line: lineAt(typeof at === 'number' ? at : at.start), rule: name, detail })
    new Visitor(visit(source, report)).visit(program)
  }
  for (const { at, detail } of unfinished(source))
    found.push({ path: file, line: lineAt(at), rule: 'sentences', detail })
  return found
}

/** A longer file of tests is about more than one thing. Biome counts a text of many lines as one. */
const mostLinesOfTests = 500

function tooLong(file: string, text: string): Violation[] {
  const count = text.trimEnd().split('\n').length
  if (!isTest(file) || count <= mostLinesOfTests) return []
  const detail = `${count} lines, of at most ${mostLinesOfTests}: split it by subject.`
  return [{ path: file, line: 0, rule: 'tests are short', detail }]
}

/** The violations in one file. */
export function fileViolations(file: string, text: string): Violation[] {
  if (/\.(tsx?|mjs)$/.test(file)) return [...sourceViolations(file, text), ...tooLong(file, text)]
  return file.endsWith('.sql') ? sqlViolations(file, text) : []
}
