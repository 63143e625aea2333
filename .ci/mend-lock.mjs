// npm leaves an optional package that the registry did not offer at that moment out of the lock file, and then refuses
// the file in `npm ci` because the package is missing from it. This writes the missing entries: they name the version
// and the system, so npm passes over them everywhere else and fetches them by name where they belong.
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

/** What the name of a package for one system says about it. */
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

/** True when npm would find the package from the folder of the one that wants it. */
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
