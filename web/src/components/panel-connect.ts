import type { Row } from '../api/rows.ts'
import { useAction } from '../api/write.ts'
import { toast } from '../stores/toast.ts'
import { m } from '../texts/compiled/messages.js'
import { chunk } from '../ui/chunk.ts'

/** Says why a panel could not be opened; the words for what servers say come when there is something to say. */
export async function tellOfPanel(name: string, { message }: Error): Promise<void> {
  const { faultInWords } = await chunk(() => import('../texts/faults.ts'))
  toast(m.connect_failed({ name }), faultInWords(message), 'bad')
}

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
          void tellOfPanel(name, error)
        },
      },
    )
  }
  return { open, isPending: connect.isPending }
}
