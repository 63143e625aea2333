import { useState } from 'react'
import { fullName, useUser } from '../../api/queries/user.ts'
import { act } from '../../api/write.ts'
import { language } from '../../stores/language.ts'
import { dropView, leaveView } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './view-banner.module.css'

const timeOf = (moment: string) =>
  new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(new Date(moment))

/** Ends the view as the member of staff who they are again, and returns to the page where it began. */
async function leave(id: number): Promise<void> {
  dropView()
  // A view that cannot be ended now ends by itself; its token is gone from this tab.
  await act('desk-clients', 'leaveClient', {
    id,
    payload: {},
    headers: { 'portico-reason': 'routine' },
  }).catch(() => undefined)
  leaveView()
}

/** Says to staff on every page whose account they see, and until when. */
export function ViewBanner() {
  const { view, ...client } = useUser()
  const [isLeaving, setIsLeaving] = useState(false)
  if (view === null) return null
  const about = { name: fullName(client), time: timeOf(view.until) }
  return (
    <section className={classes.banner} aria-label={m.view_banner_label()}>
      <p>{m.view_banner(about)}</p>
      <button
        type="button"
        disabled={isLeaving}
        onClick={() => {
          setIsLeaving(true)
          void leave(client.id)
        }}
      >
        {m.view_leave()}
      </button>
    </section>
  )
}
