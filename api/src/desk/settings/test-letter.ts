import { sql } from 'kysely'
import { render } from '#notifications/letters/render.ts'
import type { OutsideContext } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { smtpServer } from '#platform/mail/transport/smtp-server.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

const everySeconds = 20

/** Throws `attempts_too_many` when the last test letter of anybody was sent a moment ago. */
async function assertNotTooSoon(tx: Database): Promise<void> {
  const { rows } = await sql`insert into settings (key, value) values ('test_letter_at', to_jsonb(now()))
    on conflict (key) do update set value = excluded.value
      where (settings.value #>> '{}')::timestamptz < now() - make_interval(secs => ${everySeconds}) returning key`.execute(
    tx,
  )
  if (rows.length === 0)
    throw refuse('attempts_too_many', {}, { headers: { 'retry-after': String(everySeconds) } })
}

/**
 * The action of administrators that sends a letter to themselves, without the queue, so that they read the answer of the mail
 * server. Throws `recent_sign_in_required`, `mail_not_set`, `attempts_too_many`.
 */
export async function sendTest(outsideContext: OutsideContext) {
  assertRecentSignIn(outsideContext)
  const { env, brand } = outsideContext.ports.settings
  const { smtpUrl, publicUrl } = env
  if (smtpUrl === undefined) throw refuse('mail_not_set')
  const { email, name } = await outsideContext.within(async ({ tx, actor }) => {
    await assertNotTooSoon(tx)
    return tx
      .selectFrom('admins as a')
      .innerJoin('auth_accounts as p', 'p.id', 'a.auth_id')
      .select(['p.email', 'a.display_name as name'])
      .where('a.id', '=', actor.staff?.id ?? 0)
      .executeTakeFirstOrThrow()
  })
  const mailer = smtpMailer(smtpServer(env, smtpUrl))
  const messageId = `test-${crypto.randomUUID()}@${new URL(publicUrl).hostname}`
  const said = render({ kind: 'test-letter', name }, outsideContext.actor.language, publicUrl, {
    look: brand(),
  })
  const handed = await mailer.send({
    messageId,
    to: email,
    sender: brand().name,
    ...said,
    date: outsideContext.now,
  })
  mailer.close()
  return { to: email, problem: handed.taken ? null : handed.reason }
}
