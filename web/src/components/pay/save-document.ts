import { useState } from 'react'
import { type DocumentFormat, saveDocument } from '../../api/files/documents.ts'
import { inWords } from '../../api/refusal-words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'

/** Formats have the same names in every language. */
export const formatNames: Record<DocumentFormat, string> = { pdf: 'PDF', xml: 'XML', signed: 'e-Factura' }

/** Saves files of a document; whether one is on its way. */
export function useSaveDocument({ id, full_number: number }: { id: number; full_number: string }) {
  const [isComing, setComing] = useState(false)
  const save = async (format: DocumentFormat) => {
    setComing(true)
    await saveDocument(id, format, number).catch((error: unknown) =>
      toast(m.document_failed({ number }), inWords(error), 'bad'),
    )
    setComing(false)
  }
  return { save: (format: DocumentFormat) => void save(format), isComing }
}
