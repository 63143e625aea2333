import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Invitation } from './invitations.ts'

/** Sends the mail of an invitation again, and shows the result. */
export function useResend({ id, full_name: name }: Pick<Invitation, 'id' | 'full_name'>) {
  const resend = useAction('share-invitations', 'resendEmail')
  const send = () =>
    resend.mutate(
      { id, payload: {} },
      {
        onSuccess: ({ status }) =>
          status
            ? toast(m.success(), m.member_resend_sent({ name }))
            : toast(m.member_resend_failed(), undefined, 'bad'),
        onError: (failure) => toast(m.member_resend_failed(), inWords(failure), 'bad'),
      },
    )
  return { send, isSending: resend.isPending }
}
