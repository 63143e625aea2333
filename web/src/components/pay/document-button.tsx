import { Button } from '@mantine/core'
import type { DocumentFormat } from '../../api/files/documents.ts'
import { m } from '../../texts/compiled/messages.js'
import { formatNames, useSaveDocument } from './save-document.ts'

type Props = { id: number; number: string; format: DocumentFormat }

/** Downloads the file of a document. */
export function DocumentButton({ id, number, format }: Props) {
  const { save, isComing } = useSaveDocument({ id, full_number: number })
  const kind = formatNames[format]
  return (
    <Button
      size="xs"
      variant="default"
      loading={isComing}
      aria-label={m.document_download({ kind, number })}
      onClick={() => save(format)}
    >
      {kind}
    </Button>
  )
}
