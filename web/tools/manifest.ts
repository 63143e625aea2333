import fs from 'node:fs'

type Entry = {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
  isEntry?: boolean
}
export type Manifest = Record<string, Entry>

export function readManifest(dist: string, name = '.vite/manifest.json'): Manifest {
  // Written by Vite in this build, so it has this shape.
  return JSON.parse(fs.readFileSync(`${dist}/${name}`, 'utf8')) as Manifest
}

/** The files that a module needs before it can run: its own, its styles, and those of its imports. */
export function filesOf(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  const entry = manifest[source]
  if (!entry || seen.has(source)) return []
  seen.add(source)
  const own = [entry.file, ...(entry.css ?? [])].map((file) => `/${file}`)
  const imported = (entry.imports ?? []).flatMap((name) => filesOf(manifest, name, seen))
  return [...new Set([...own, ...imported])]
}
