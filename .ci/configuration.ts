// Updates docs/configuration.md and the values of the chart from the variables that the server reads: `npm run
// docs:configuration`.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { variables } from '../api/src/config/env-variables.ts'
import { secretNames } from '../api/src/config/secret-files.ts'

export const page = path.join(import.meta.dirname, '../docs/configuration.md')

const table = /(<!-- configuration -->\n).*?(<!-- end of configuration -->)/s

const cell = (text: string) => text.replaceAll('|', '\\|')

function configuration(): string {
  const rows = Object.entries(variables).map(
    ([name, { meaning, expected, default: byDefault, secret }]) =>
      `| \`${name}\`${secret ? ', or a file' : ''} | ${cell(meaning)} | ${cell(expected)} | ${cell(byDefault)} |`,
  )
  return ['| Variable | Meaning | Takes | Default |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The page with the updated table. */
export function withConfiguration(text: string): string {
  if (!table.test(text)) throw new Error('docs/configuration.md has lost the marks around its configuration.')
  return text.replace(table, (_, start: string, end: string) => `${start}\n${configuration()}\n\n${end}`)
}

export const chart = path.join(import.meta.dirname, '../deploy/helm/values.schema.json')

/** Set by the chart itself, or by the image. */
const ofChart = ['PORT', 'HOST', 'DATA_DIR', 'NODE_ENV', 'PUBLIC_URL', 'WORKERS', 'SEED']

const schema = z.looseObject({ properties: z.looseObject({ env: z.looseObject({}) }) })

/** The schema of the chart's values with the updated variables; secrets are in a Secret instead. */
export function withVariables(text: string): string {
  const { properties, ...rest } = schema.parse(JSON.parse(text))
  const plain = Object.keys(variables).filter(
    (name) => !secretNames.includes(name) && !ofChart.includes(name),
  )
  const env = {
    ...properties.env,
    properties: Object.fromEntries(plain.map((name) => [name, { type: 'string' }])),
  }
  return JSON.stringify({ ...rest, properties: { ...properties, env } }, undefined, 2)
}

if (import.meta.main) {
  fs.writeFileSync(page, withConfiguration(fs.readFileSync(page, 'utf8')))
  fs.writeFileSync(chart, withVariables(fs.readFileSync(chart, 'utf8')))
  execFileSync('biome', ['format', '--write', chart], { stdio: 'inherit' })
}
