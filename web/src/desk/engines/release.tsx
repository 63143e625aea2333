import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { useInParts } from './in-parts.ts'
import type { Engine } from './words.ts'

type Props = { engine: Engine; linked: number; onClose: () => void }
type Said = { readonly released: number; readonly left: number; readonly next: number | null }
type Part = { readonly reason: string; readonly after?: number }

/** Undoes the take-over of an engine's accounts. */
export function Release({ engine, linked, onClose }: Props) {
  const action = useAction('desk-engines', 'release')
  const { isRunning, begin } = useInParts<Part, Said>(
    ({ reason, after }, then) =>
      action.mutate({ id: engine.id, payload: after ? { after } : {}, headers: because(reason) }, then),
    (answers) => {
      onClose()
      toast(
        m.desk_release_done({
          released: answers.reduce((sum, { released }) => sum + released, 0),
          left: answers.reduce((sum, { left }) => sum + left, 0),
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
      onConfirm={(reason) =>
        begin((_, last) => {
          if (last === undefined) return { reason }
          return last.next === null ? undefined : { reason, after: last.next }
        })
      }
      onClose={onClose}
    />
  )
}
