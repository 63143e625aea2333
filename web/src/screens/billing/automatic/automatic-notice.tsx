import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { inWords } from '../../../api/refusal-words.ts'
import { useAction } from '../../../api/write.ts'
import type { Rule } from '../../../components/automatic/rules.ts'
import { exact } from '../../../components/moments.ts'
import pay from '../../../components/pay/pay.module.css'
import { href } from '../../../routes.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import classes from '../billing.module.css'

/** Why the rule cannot charge, and the remedy: confirm at the bank, or try again. */
export function AutomaticNotice({ rule: { id, enabled, status, next_try_at, decisions } }: { rule: Rule }) {
  const retry = useAction('automated-billing-rules', 'retryNow')
  if (!enabled) return null
  const waiting = decisions.find(({ outcome }) => outcome === 'needs_action')?.transaction_id
  if (status === 'needs_action')
    return (
      <div className={`${pay.notice} ${classes.notice}`}>
        <p>{m.auto_action_text()}</p>
        {waiting && (
          <Button
            size="xs"
            renderRoot={(props) => <Link {...props} to={href('payment')} search={{ transaction: waiting }} />}
          >
            {m.auto_action()}
          </Button>
        )}
      </div>
    )
  if (status !== 'paused_declined' && next_try_at === null) return null
  const why =
    next_try_at === null ? m.auto_paused_text() : m.auto_retry_text({ date: exact(next_try_at, language()) })
  return (
    <div>
      <div className={`${pay.notice} ${classes.notice}`}>
        <p>{why}</p>
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate({ id, payload: {} })}
        >
          {m.auto_retry()}
        </Button>
      </div>
      {retry.error && <p role="alert">{inWords(retry.error)}</p>}
    </div>
  )
}
