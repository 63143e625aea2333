// npm omits an optional package from the lock file if the registry did not offer it at that moment, and then
// `npm ci` rejects the file because the package is missing. This adds the missing entries: they name version
// and system, so npm skips them on other systems and installs them where they belong.
import fs from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
const { packages } = lock

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/** The operating system and processor in the name of a package. */
function constraints(name) {
  const words = name.split(/[/-]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  const libc = ['musl', 'gnu']
    .filter((kind) => words.includes(kind))
    .map((kind) => (kind === 'gnu' ? 'glibc' : kind))
  return {
    ...(cpu.length && { cpu }),
    optional: true,
    ...(os.length && { os }),
    ...(libc.length && { libc }),
  }
}

/** True when npm would find the package from the folder of the one that needs it. */
function isLocked(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (at === '' || !at.includes('node_modules')) return Boolean(packages[`node_modules/${name}`])
    if (!at.includes('/node_modules/')) at = ''
  }
}

const added = []
for (const [from, { optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (isLocked(from, name)) continue
    packages[`node_modules/${name}`] = { version: range.replace(/^[~^]/, ''), ...constraints(name) }
    added.push(name)
  }
}
if (added.length > 0) {
  lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(`Added ${added.length} entries to ${file}.`)
