import { m } from '../../texts/compiled/messages.js'
import classes from './pay.module.css'
import { formatNames, useSaveDocument } from './save-document.ts'

/** The number of a document, which brings its PDF. */
export function DocumentNumber({ document }: { document: { id: number; full_number: string } }) {
  const { save, isComing } = useSaveDocument(document)
  const number = document.full_number
  return (
    <button
      type="button"
      className={classes.number}
      aria-busy={isComing || undefined}
      aria-label={m.document_download({ kind: formatNames.pdf, number })}
      onClick={() => save('pdf')}
    >
      {number}
    </button>
  )
}
