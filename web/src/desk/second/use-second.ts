import type { AskedVerb } from '@portico/contract/rules/asked-verbs.ts'
import { useActionOnce } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because } from '../verbs/verb-dialog.tsx'

type Wish = {
  verb: AskedVerb
  /** The row of the verb; null where the verb has none. */
  about: number | null
  /** The input of the verb, as the dialog has it; undefined while something is missing. */
  input: (reason: string) => Record<string, unknown> | undefined
  onClose: () => void
}

/** Asks a second person for the verb of a dialog. */
export function useSecond({ verb, about, input, onClose }: Wish) {
  const { mutate, isPending, error } = useActionOnce('desk-requests', 'ask')
  const onSuccess = () => {
    onClose()
    toast(m.desk_second_asked())
  }
  const ask = (reason: string) => {
    const given = input(reason)
    if (given === undefined) return
    const ref = about === null ? null : String(about)
    mutate({ payload: { verb, ref, input: given }, headers: because(reason) }, { onSuccess })
  }
  return { isPending, error, ask }
}
