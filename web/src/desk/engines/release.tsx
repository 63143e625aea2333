import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { useInParts } from './in-parts.ts'
import type { Engine } from './words.ts'

type Props = { engine: Engine; linked: number; onClose: () => void }
type Said = { readonly released: number; readonly left: number; readonly more: boolean }

/** Undoes the take-over of an engine's accounts. */
export function Release({ engine, linked, onClose }: Props) {
  const action = useAction('desk-engines', 'release')
  const { isRunning, begin } = useInParts<string, Said>(
    (reason, then) => action.mutate({ id: engine.id, payload: {}, headers: because(reason) }, then),
    (answers) => {
      onClose()
      toast(
        m.desk_release_done({
          released: answers.reduce((sum, said) => sum + said.released, 0),
          left: answers.at(-1)?.left ?? 0,
        }),
      )
    },
  )
  return (
    <VerbDialog
      title={m.desk_release_title({ name: engine.name })}
      text={m.desk_release_text()}
      verb={m.desk_release_verb({ linked })}
      danger
      action={{ isPending: action.isPending || isRunning, error: action.error }}
      // What is left would be asked for again for ever.
      onConfirm={(reason) =>
        begin((_, last) => (last === undefined || (last.more && last.released > 0) ? reason : undefined))
      }
      onClose={onClose}
    />
  )
}
