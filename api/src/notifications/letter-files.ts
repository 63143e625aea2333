import type { Letter } from '#notifications/letters/letters.ts'
import { Problem } from '#platform/errors/problem.ts'
import { heldFile, type StoredFiles } from '#platform/files/stored-files.ts'
import type { Mail } from '#platform/mail/transport/mailer.ts'

export type Attachment = NonNullable<Mail['attachments']>[number]

const contentTypes = { pdf: 'application/pdf', xml: 'application/xml' } as const

/** Permanent faults: the letter is sent without the file, and staff get an alert. */
const lost: readonly string[] = ['file_damaged', 'file_missing']

/**
 * Reads the files that a letter attaches, verified by SHA-256. A damaged, missing or oversized file is left
 * out. Throws `storage_unavailable`.
 */
export async function filesOfLetter(parts: StoredFiles, letter: Letter): Promise<Attachment[]> {
  if (!('attached' in letter) || letter.attached === undefined) return []
  const { invoiceId, formats } = letter.attached
  const row = await parts.pool.kysely
    .selectFrom('invoices')
    .select(['full_number', 'pdf_key', 'pdf_sha256', 'xml_key', 'xml_sha256'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const read = await Promise.all(
    formats.map(async (format): Promise<Attachment[]> => {
      const [key, sha256, filename] = [
        row[`${format}_key`],
        row[`${format}_sha256`],
        `${row.full_number}.${format}`,
      ]
      if (key === null) return []
      const content = await heldFile(parts, { key, sha256, what: `document ${filename}`, invoiceId }).catch(
        (error: unknown) => {
          if (error instanceof Problem && lost.includes(error.code)) return null
          throw error
        },
      )
      return content === null ? [] : [{ filename, contentType: contentTypes[format], content }]
    }),
  )
  return read.flat()
}

/** A copy of the letter whose text mentions only the files that it carries. */
export function withFiles(letter: Letter, files: readonly Pick<Attachment, 'contentType'>[]): Letter {
  if (!('attached' in letter) || letter.attached === undefined) return letter
  const { invoiceId, formats } = letter.attached
  const carried = formats.filter((format) =>
    files.some(({ contentType }) => contentType === contentTypes[format]),
  )
  return { ...letter, attached: { invoiceId, formats: carried } }
}
