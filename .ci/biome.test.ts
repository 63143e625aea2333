import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const here = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-biome-'))
const bodyOf = (count: number) => `() => {\n${'  f()\n'.repeat(count)}}\n`

/** Source files that each break one rule, so that a rule that is switched off by mistake fails here. */
const wrong: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['api/src/any.ts', 'export const a: any = 1\n', 'suspicious/noExplicitAny'],
  ['api/src/bang.ts', 'export const a = (b?: string) => b!.length\n', 'style/noNonNullAssertion'],
  ['api/src/enum.ts', 'export enum A {\n  B = 0,\n}\n', 'style/noEnum'],
  ['api/src/namespace.ts', 'export namespace A {\n  export const b = 1\n}\n', 'style/noNamespace'],
  [
    'api/src/parameter.ts',
    'export class A {\n  constructor(readonly b: string) {}\n}\n',
    'style/noParameterProperties',
  ],
  ['api/src/default.ts', 'export default 1\n', 'style/noDefaultExport'],
  ['web/src/components/default.tsx', 'export default 1\n', 'style/noDefaultExport'],
  [
    'api/src/extension.ts',
    "import { a } from './any'\n\nexport const b = a\n",
    'correctness/useImportExtensions',
  ],
  ['api/src/CamelCase.ts', 'export const a = 1\n', 'style/useFilenamingConvention'],
  ['web/src/components/MemberMenu.tsx', 'export const a = 1\n', 'style/useFilenamingConvention'],
  ['api/src/snake_case.ts', 'export const a = 1\n', 'style/useFilenamingConvention'],
  ['api/src/long-function.ts', `export const a = ${bodyOf(41)}`, 'complexity/noExcessiveLinesPerFunction'],
  [
    'web/src/components/long.tsx',
    `export const A = ${bodyOf(121)}`,
    'complexity/noExcessiveLinesPerFunction',
  ],
  ['api/src/long-file.ts', 'f()\n'.repeat(301), 'style/noExcessiveLinesPerFile'],
  [
    'api/src/tangled.ts',
    `export const a = (b) => {\n${'  if (b) for (const c of b) if (c) f(c)\n'.repeat(3)}}\n`,
    'complexity/noExcessiveCognitiveComplexity',
  ],
  [
    'api/src/floating.ts',
    'async function a() {}\nexport function b() {\n  a()\n}\n',
    'nursery/noFloatingPromises',
  ],
  ['api/src/unused.ts', 'const a = 1\n', 'correctness/noUnusedVariables'],
  ['api/src/unused-import.ts', "import { a } from './any.ts'\n", 'correctness/noUnusedImports'],
  [
    'api/src/unused-parameter.ts',
    'export const a = (b: string) => 1\n',
    'correctness/noUnusedFunctionParameters',
  ],
  ['api/src/type.ts', "import { A } from './any.ts'\n\nexport type B = A\n", 'style/useImportType'],
  ['api/src/console.ts', 'console.log(1)\n', 'suspicious/noConsole'],
  ['api/src/environment.ts', 'export const a = process.env.PORT\n', 'style/noProcessEnv'],
  [
    'api/src/money/ledger/number.ts',
    'export const a = (b: string) => Number(b)\n',
    'style/noRestrictedGlobals',
  ],
  [
    'api/src/money/ledger/float.ts',
    'export const a = (b: string) => parseFloat(b)\n',
    'style/noRestrictedGlobals',
  ],
  [
    'api/src/switch.ts',
    "export function a(b: 'c' | 'd') {\n  switch (b) {\n    case 'c':\n      f()\n  }\n}\n",
    'nursery/useExhaustiveSwitchCases',
  ],
  ['api/src/focused.test.ts', "test.only('a', () => expect(1).toBe(1))\n", 'suspicious/noFocusedTests'],
  ['api/src/skipped.test.ts', "test.skip('a', () => expect(1).toBe(1))\n", 'suspicious/noSkippedTests'],
  ['web/src/screens/words.tsx', 'export default () => <p>Hello</p>\n', 'style/noJsxLiterals'],
  [
    'web/src/screens/hook.tsx',
    'export default function A({ b }) {\n  if (b) useQuery(b)\n}\n',
    'correctness/useHookAtTopLevel',
  ],
  ['web/src/components/button.tsx', 'export const A = () => <button />\n', 'a11y/useButtonType'],
]

const fine: readonly (readonly [file: string, text: string])[] = [
  ['web/src/screens/default.tsx', 'export default () => null\n'],
  ['api/src/money/default.resource.ts', 'export default 1\n'],
  ['api/src/env.ts', 'export const a = 1\n'],
  ['api/src/short-function.ts', `export const a = ${bodyOf(40)}`],
  ['web/src/components/short.tsx', `export const A = ${bodyOf(120)}`],
  ['api/src/short-file.ts', 'f()\n'.repeat(300)],
  ['api/src/short-test.test.ts', 'f()\n'.repeat(500)],
]

let found: string[]

/** The part of `biome lint --reporter=json` that is read here. */
type Report = { diagnostics: { category: string; location: { path: string } }[] }

beforeAll(() => {
  for (const file of ['biome.json', '.gitignore'])
    fs.copyFileSync(path.join(root, file), path.join(here, file))
  for (const [file, text] of [...wrong, ...fine]) {
    fs.mkdirSync(path.dirname(path.join(here, file)), { recursive: true })
    fs.writeFileSync(path.join(here, file), text)
  }
  const biome = path.join(root, 'node_modules/.bin/biome')
  const options = { cwd: here, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const { stdout } = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=1000', '.'], options)
  // The format is Biome's own; if it changes, nothing is found and each test below fails.
  const report = JSON.parse(stdout) as Report
  found = report.diagnostics.map(
    ({ category, location }) => `${location.path} ${category.replace('lint/', '')}`,
  )
})

afterAll(() => fs.rmSync(here, { recursive: true, force: true }))

test.each(wrong)('%s is refused', (file, _, rule) => {
  expect(found).toContain(`${file} ${rule}`)
})

test.each(fine)('%s is let through', (file) => {
  expect(found.filter((line) => line.startsWith(`${file} `))).toEqual([])
})
