import { Checkbox } from '@mantine/core'
import { type MailKind, mailKinds } from '@portico/contract/rules/notification-kinds.ts'
import { useUser } from '../../api/queries/user.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useUpdate } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import { Section, SectionBody } from '../../ui/section.tsx'

const words: Record<MailKind, () => string> = {
  invoice_issued: m.mail_invoice_issued,
  payment_failed: m.mail_payment_failed,
  ticket_answered: m.mail_ticket_answered,
  panel_degraded: m.mail_panel_degraded,
  invitation_accepted: m.mail_invitation_accepted,
  newsletter: m.mail_newsletter,
}

/** The optional letters; a change applies at once. */
export function MailChoices() {
  const user = useUser()
  const update = useUpdate('clients')
  // Shows the new choice until the answer arrives.
  const off = update.isPending ? (update.variables.attributes?.mail_off ?? user.mail_off) : user.mail_off
  const choose = (kind: MailKind, isOn: boolean) => {
    const others = off.filter((one) => one !== kind)
    update.mutate({ id: user.id, attributes: { mail_off: isOn ? others : [...others, kind] } })
  }
  return (
    <Section id="notifications" title={m.account_notifications()} lead={m.mail_lead()}>
      <SectionBody>
        {mailKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={words[kind]()}
            checked={!off.includes(kind)}
            onChange={(event) => choose(kind, event.currentTarget.checked)}
          />
        ))}
        <p className="quiet">{m.mail_always()}</p>
        <Refusal>{update.error ? inWords(update.error) : undefined}</Refusal>
      </SectionBody>
    </Section>
  )
}
