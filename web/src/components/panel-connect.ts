import { inWords } from '../api/refusal-words.ts'
import type { Row } from '../api/rows.ts'
import { useAction } from '../api/write.ts'
import { toast } from '../stores/toast.ts'
import { m } from '../texts/compiled/messages.js'

/** Says why a panel could not be opened. */
export const tellOfPanel = (name: string, error: Error): void =>
  toast(m.connect_failed({ name }), inWords(error), 'bad')

/** Opens a panel in a tab of its own, which is made in the click itself: one that comes later is blocked as a pop-up. */
export function useConnect({ id, name }: Pick<Row<'panels'>, 'id' | 'name'>) {
  const connect = useAction('panels', 'connect')
  const open = () => {
    const tab = window.open('', '_blank')
    if (!tab) return toast(m.connect_blocked(), m.connect_blocked_text(), 'bad')
    // The page of the engine gets no hold on this one.
    tab.opener = null
    tab.document.title = m.connect_opening({ name })
    connect.mutate(
      { id, payload: {} },
      {
        onSuccess: ({ url }) => tab.location.replace(url),
        onError: (error) => {
          tab.close()
          tellOfPanel(name, error)
        },
      },
    )
  }
  return { open, isPending: connect.isPending }
}
