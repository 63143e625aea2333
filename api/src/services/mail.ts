import { randomUUID } from 'node:crypto'
import type { Database } from '../db/pool.ts'
import type { Vault } from '../db/vault.ts'
import { type Letter, type LetterLanguage, letterLanguages } from '../mail/letters.ts'
import { enqueue } from './enqueue.ts'

/** As many tries, with the queue's growing pauses, bridge three hours without a mail server. */
const tries = 10

/** The language that a letter is written in for somebody who speaks `code` (ISO 639-1). */
export const languageOf = (code: string): LetterLanguage =>
  letterLanguages.find((language) => language === code) ?? 'en'

/**
 * Writes a letter in the transaction of the fact that it tells of: it is sent after the commit, or never when the fact is
 * rolled back. A request therefore never waits for a mail server. `language` is ISO 639-1.
 */
export async function queueMail(
  { tx, vault }: { readonly tx: Database; readonly vault: Vault },
  { to, language, letter }: { readonly to: string; readonly language: string; readonly letter: Letter },
): Promise<void> {
  const row = await tx
    .insertInto('outbox_letters')
    .values({
      message_id: randomUUID(),
      recipient: to,
      language: languageOf(language),
      kind: letter.kind,
      sealed: vault.seal(JSON.stringify(letter)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, 'mail.send', { letterId: row.id }, { attempts: tries })
}
