import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { action } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { because } from '../verbs/verb-dialog.tsx'
import classes from './settings.module.css'

type Sent = { readonly to: string; readonly problem: string | null }

const resultOf = ({ to, problem }: Sent): string =>
  problem === null ? m.desk_settings_test_sent({ email: to }) : m.desk_settings_test_failed({ problem })

/** Sends a letter to the reader, and says what the mail server answered. */
export function TestLetter() {
  const sending = useAction('operator-settings', 'sendTest')
  const { data, error, isPending } = sending
  const send = () => sending.mutate({ payload: {}, headers: because(m.desk_settings_test_reason()) })
  return (
    <div className={classes.result}>
      <Button variant="default" size="xs" loading={isPending} onClick={send}>
        {m.desk_settings_test()}
      </Button>
      <p role="status">{error ? inWords(error) : data && resultOf(data)}</p>
    </div>
  )
}

const pollMs = 5000

/** Whether messages of Stripe arrive, which the person sees while they try it. */
export function WebhookSeen() {
  const { data } = useQuery({
    ...action('operator-settings', 'webhook', { payload: {} }),
    refetchInterval: pollMs,
  })
  if (data === undefined) return null
  return (
    <p className="quiet">
      {data.seen_at === null ? (
        m.desk_settings_webhook_none()
      ) : (
        <>
          {m.desk_settings_webhook_seen()} <When moment={data.seen_at} />
        </>
      )}
    </p>
  )
}
