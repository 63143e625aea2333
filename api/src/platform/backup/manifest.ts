import fs from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { CannotStart } from '#config/env.ts'

const name = 'manifest.json'

const table = z.object({
  schema: z.string(),
  name: z.string(),
  /** The stored columns in order; generated ones are computed again. */
  columns: z.array(z.string()),
  rows: z.int(),
  /** Of the compressed file, in hexadecimal. */
  sha256: z.string(),
})

const partition = z.object({ schema: z.string(), name: z.string(), of: z.string(), bound: z.string() })

// A bigint exceeds a JSON number.
const sequence = z.object({ schema: z.string(), name: z.string(), lastValue: z.string() })

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** The version of PostgreSQL that it was read from. */
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(table),
  partitions: z.array(partition),
  sequences: z.array(sequence),
  /** The stored files; undefined in an archive of the database alone. */
  files: z.optional(z.object({ count: z.int(), bytes: z.int(), missing: z.int(), sha256: z.string() })),
})

/** The content of an archive. It is written last, so an archive with a manifest is complete. */
export type Manifest = z.infer<typeof manifest>
export type ArchivedTable = z.infer<typeof table>

/** The name of a table's file in an archive. */
export const fileOf = ({ schema, name }: Pick<ArchivedTable, 'schema' | 'name'>): string =>
  `${schema}.${name}.copy.zst`

/** Writes the manifest, which completes the archive. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = `${JSON.stringify(content, null, 1)}\n`
  await fs.writeFile(path.join(folder, name), text, { mode: 0o600, flush: true })
}

/** Reads the manifest of an archive. Throws `CannotStart` for a folder that is none, or of a newer format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await fs.readFile(path.join(folder, name), 'utf8').catch(() => {
    throw new CannotStart(`${folder} has no ${name}: it is not an archive, or its backup did not finish.`)
  })
  try {
    return z.parse(manifest, JSON.parse(text))
  } catch (error) {
    throw new CannotStart(
      `The ${name} of ${folder} cannot be read: it is damaged, or was written by a newer version of Portico.`,
      { cause: error },
    )
  }
}
