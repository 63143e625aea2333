import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Status } from '../../../ui/status.tsx'
import classes from '../manage-account.module.css'

/** The new address, until its owner follows the link in the mail. */
export function PendingEmail({ address }: { address: string }) {
  const change = useCall(addresses.changeEmail)
  const again = () =>
    change.mutate({ email: address }, { onSuccess: () => toast(m.email_sent({ email: address })) })
  return (
    <div className={classes.notice}>
      <p>
        <strong>{address}</strong> <Status tone="warn">{m.email_pending()}</Status>
      </p>
      <p className="quiet">{m.email_pending_text()}</p>
      <Button size="xs" variant="default" loading={change.isPending} onClick={again}>
        {m.email_again()}
      </Button>
      <Refusal>{change.error ? inWords(change.error) : undefined}</Refusal>
    </div>
  )
}
