import { Button } from '@mantine/core'
import { useState } from 'react'
import { saveDocument } from '../../api/files/documents.ts'
import { inWords } from '../../api/refusal-words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'

type Props = { id: number; number: string; format: 'pdf' | 'xml' }

/** Downloads the file of a document. */
export function DocumentButton({ id, number, format }: Props) {
  const [isComing, setComing] = useState(false)
  const kind = format.toUpperCase()
  const bring = async () => {
    setComing(true)
    await saveDocument(id, format, number).catch((error: unknown) =>
      toast(m.document_failed({ number }), inWords(error), 'bad'),
    )
    setComing(false)
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={isComing}
      aria-label={m.document_download({ kind, number })}
      onClick={() => void bring()}
    >
      {kind}
    </Button>
  )
}
