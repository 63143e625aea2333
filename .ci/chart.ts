// What Helm makes of the chart with all its parts is kept in `.ci/chart.yaml`, because few machines have Helm: `npm run chart`
// writes it. A test compares it with the chart, and its objects with the types of Kubernetes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'deploy/helm')
export const rendered = path.join(import.meta.dirname, 'chart.yaml')

const values = [
  'ingress.enabled=true,ingress.className=nginx,ingress.tlsSecret=tls',
  'ingress.annotations.nginx\\.ingress\\.kubernetes\\.io/proxy-body-size=12m',
  'podAnnotations.reviewed=yes',
  'files.existingClaim=files,env.LOG_LEVEL=warn',
]

/** Names the templates and values that a text was rendered from; the version and the schema of values change without them. */
export function chartHash(): string {
  const hash = createHash('sha256').update(values.join('\n'))
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of names.filter((one) => /^templates\/.|^values\.yaml$/.test(one)))
    hash.update(`${name}\n`).update(fs.readFileSync(path.join(folder, name)))
  return hash.digest('hex')
}

/** The objects of the chart as Helm renders them, under the hash of the chart. Throws what Helm says. */
export function renderChart(): string {
  const sets = values.flatMap((one) => ['--set', one])
  const { status, stdout, stderr, error } = spawnSync('helm', ['template', 'shop', folder, ...sets], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Helm failed: ${error?.message ?? stderr}`)
  return `# Written by npm run chart; of the chart ${chartHash()}\n${stdout}`
}

/** The objects of a rendered chart. */
export const objectsOf = (text: string): { apiVersion?: unknown; kind?: unknown }[] =>
  parseAllDocuments(text).map((document) => document.toJS() ?? {})

/**
 * The faults of objects by the types of Kubernetes: a wrong type, a missing or unknown key, an unknown kind. An object
 * literal with a key that its type lacks does not compile, as a server in strict mode refuses it.
 */
export function faultsOf(objects: readonly { apiVersion?: unknown; kind?: unknown }[]): string[] {
  const place = fs.mkdtempSync(path.join(fs.realpathSync(path.join(root, 'node_modules')), '.chart-'))
  try {
    const lines = objects.map(
      (one, index) =>
        `export const object${index}: Kinds['${one.apiVersion} ${one.kind}'] = ${JSON.stringify(one)}`,
    )
    const kinds = path.join(import.meta.dirname, 'chart-kinds.ts')
    fs.writeFileSync(
      path.join(place, 'objects.ts'),
      [`import type { Kinds } from '${kinds}'`, ...lines].join('\n'),
    )
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    }
    fs.writeFileSync(
      path.join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['objects.ts'] }),
    )
    const { status, stdout } = spawnSync('tsc', ['--project', place, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    if (status === 0) return []
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    fs.rmSync(place, { recursive: true, force: true })
  }
}

if (import.meta.main) fs.writeFileSync(rendered, renderChart())
