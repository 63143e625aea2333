import { inWords } from '../api/refusal-words.ts'
import type { Row } from '../api/rows.ts'
import { useAction } from '../api/write.ts'
import { toast } from '../stores/toast.ts'
import { m } from '../texts/compiled/messages.js'

/** Shows why a panel could not be opened. */
export const reportConnectFailure = (name: string, error: Error): void =>
  toast(m.connect_failed({ name }), inWords(error), 'bad')

type Entered = Pick<Row<'panels'>, 'id' | 'name' | 'login_url'>

/** The label of the button that opens a panel: where its engine makes no links, people sign in on a page of their own. */
export const entranceName = ({ name, login_url: page }: Omit<Entered, 'id'>): string =>
  page ? m.connect_sign_in_to({ name }) : m.connect_to({ name })

/**
 * Opens a panel, or the page where people sign in to it, in a new tab. The tab is opened in the click handler:
 * the browser would block a later one as a pop-up.
 */
export function useConnect() {
  const connect = useAction('panels', 'connect')
  const open = ({ id, name, login_url: page }: Entered) => {
    if (page) return void window.open(page, '_blank', 'noreferrer')
    const tab = window.open('', '_blank')
    if (!tab) return toast(m.connect_blocked(), m.connect_blocked_text(), 'bad')
    // The engine's page must not access this one.
    tab.opener = null
    tab.document.title = m.connect_opening({ name })
    connect.mutate(
      { id, payload: {} },
      {
        onSuccess: ({ url }) => tab.location.replace(url),
        onError: (error) => {
          tab.close()
          reportConnectFailure(name, error)
        },
      },
    )
  }
  return { open, isPending: connect.isPending }
}
