import { email } from '@portico/contract/calls/credentials.ts'
import * as z from 'zod/mini'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { NameDialog } from '../../components/dialogs/name-dialog.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Document } from './document-files.tsx'

type Props = { document: Document; onClose: () => void }

/** Sends a link to a document to an address; who follows it signs in. */
export function SendDocument({ document: { id, full_number: number }, onClose }: Props) {
  const send = useAction('invoices', 'requestCopyByEmail')
  return (
    <NameDialog
      title={m.document_send_title({ number })}
      label={m.email()}
      verb={m.document_send_verb()}
      check={(address) => z.safeParse(email, address)}
      busy={send.isPending}
      refused={send.error ? inWords(send.error) : undefined}
      onSubmit={(address) =>
        send.mutate(
          { id, payload: { emails: [address] } },
          {
            onSuccess: () => {
              onClose()
              toast(m.document_sent({ number, address }))
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{m.document_send_text()}</p>
    </NameDialog>
  )
}
