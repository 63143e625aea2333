import { useEffect, useRef } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because } from '../verbs/verb-dialog.tsx'

/** Ends an authorisation when the office has sent the person back with its code, which then leaves the address. */
export function useReturn(office: Row<'tax-offices'> | undefined): void {
  const { mutate } = useAction('tax-offices', 'connect')
  const taken = useRef(false)
  const id = office?.id
  useEffect(() => {
    const given = new URLSearchParams(location.search)
    const [code, state, error] = [given.get('code'), given.get('state'), given.get('error')]
    if (id === undefined || taken.current || (code === null && error === null)) return
    taken.current = true
    history.replaceState(history.state, '', location.pathname)
    if (code === null || state === null) {
      toast(m.desk_efactura_declined(), error ?? '', 'bad')
      return
    }
    const payload = { code, state }
    const headers = because(m.desk_efactura_connect_reason())
    mutate(
      { id, payload, headers },
      {
        onSuccess: () => toast(m.desk_efactura_connected()),
        onError: (failure) => toast(m.desk_efactura_connect_failed(), inWords(failure), 'bad'),
      },
    )
  }, [id, mutate])
}
