import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { billingQuery } from '../../../api/queries/billing.ts'
import { useUser } from '../../../api/queries/user.ts'
import type { Workspace } from '../../../api/queries/workspaces.ts'
import { list } from '../../../api/query.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { useUpdate } from '../../../api/write.ts'
import { href } from '../../../routes.ts'
import { openOverlay } from '../../../stores/overlay.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { daysBetween } from '../../../ui/days.ts'
import { IconCheck } from '../../../ui/icons.tsx'
import classes from './home.module.css'

const invitations = { ...list('share-invitations', { page: { size: 1 } }), meta: {} }

type StepProps = { isDone: boolean; name: string; children?: ReactNode }

/** One step; what is done has a tick in the place of its action. */
function Step({ isDone, name, children }: StepProps) {
  return (
    <li data-done={isDone || undefined}>
      <span className={classes.tick}>{isDone && <IconCheck size={14} aria-hidden="true" />}</span>
      {isDone || !children ? name : children}
      {isDone && <span className="unseen">{m.start_done()}</span>}
    </li>
  )
}

/** The days left of a trial, with the way to go on after it. */
function Trial() {
  const profile = useQuery(billingQuery).data?.items[0]
  if (!profile?.trial_ends_at) return null
  const count = daysBetween(profile.as_of, profile.trial_ends_at.slice(0, 10))
  if (count < 0) return null
  return (
    <p>
      {m.banner_trial({ count })} <Link to={href('payment')}>{m.payment_title()}</Link>
    </p>
  )
}

/** The first steps of a new account, until the person hides them; the server remembers that. */
export function GetStarted({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { id, two_fa_enabled } = useUser()
  const profile = useQuery(billingQuery).data?.items[0]
  const invited = useQuery(invitations).data?.page.total ?? 0
  const update = useUpdate('clients')
  const hide = () =>
    update.mutate(
      { id, attributes: { get_started: false } },
      { onError: (failure) => toast(m.error_popup(), inWords(failure), 'bad') },
    )
  const [workspace] = workspaces
  return (
    <section className={`card ${classes.start}`} aria-labelledby="get-started">
      <div className={classes.head}>
        <h2 id="get-started">{m.start()}</h2>
        <Button variant="subtle" size="compact-sm" loading={update.isPending} onClick={hide}>
          {m.start_hide()}
        </Button>
      </div>
      <Trial />
      <ol>
        <Step isDone name={m.start_email()} />
        <Step
          isDone={profile?.billing_complete === true && profile.billing_missing.length === 0}
          name={m.start_billing()}
        >
          <Link to={href('manage-account')} hash="billing">
            {m.banner_billing_action()}
          </Link>
        </Step>
        <Step isDone={workspaces.some(({ panels }) => panels.length > 0)} name={m.start_panel_done()}>
          {workspace && (
            <button
              type="button"
              onClick={() =>
                openOverlay({ kind: 'add-panel', projectId: workspace.id, clientId: workspace.client_id })
              }
            >
              {m.start_panel()}
            </button>
          )}
        </Step>
        <Step isDone={two_fa_enabled === 1} name={m.start_two_factor()}>
          <Link to={href('manage-account')} hash="two-factor">
            {m.start_two_factor()}
          </Link>
        </Step>
        <Step isDone={invited > 0} name={m.start_invite()}>
          <Link to={href('manage-permissions')}>{m.start_invite()}</Link>
        </Step>
      </ol>
    </section>
  )
}
