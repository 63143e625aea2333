import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useState } from 'react'
import { useCall } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { inWords } from '../../components/forms/refusal.ts'
import { When } from '../../components/when.tsx'
import { next } from '../../stores/session.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconGoogle } from '../../ui/icons.tsx'
import { focusSection, SectionBody, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import type { Identity, Security } from './security-data.ts'

function UnlinkDialog({ identity: { id, email }, onClose }: { identity: Identity; onClose: () => void }) {
  const unlink = useCall(addresses.unlinkIdentity)
  const confirm = () =>
    unlink.mutate(
      // The id stands in the address, as text.
      { id: String(id) },
      {
        onSuccess: () => {
          toast(m.google_unlinked({ email }))
          focusSection('sign-ins')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.google_unlink_title({ email })}
      text={m.google_unlink_text()}
      verb={m.google_unlink()}
      busy={unlink.isPending}
      refusal={unlink.error ? inWords(unlink.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

/** Leaves for Google, and comes back to this section. */
function LinkGoogle() {
  const link = useCall(addresses.linkGoogle)
  const go = () =>
    link.mutate(
      {},
      {
        onSuccess: ({ url }) => {
          next.keep(`${location.pathname}#sign-ins`)
          location.assign(url)
        },
      },
    )
  return (
    <SectionFoot note={<Refusal>{link.error ? inWords(link.error) : undefined}</Refusal>}>
      <Button variant="default" loading={link.isPending || link.isSuccess} onClick={go}>
        {m.google_link()}
      </Button>
    </SectionFoot>
  )
}

type Props = { identities: readonly Identity[]; security: Security; isOffered: boolean }

/** Accounts elsewhere that one can sign in with. The last way in cannot be taken away, and it is said why. */
export function SignInsBody({ identities, security, isOffered }: Props) {
  const [leaving, setLeaving] = useState<Identity>()
  const mayUnlink = security.has_password || security.passkeys > 0
  return (
    <>
      {identities.length > 0 ? (
        <SectionList label={m.account_sign_ins()}>
          {identities.map((identity) => (
            <SectionRow
              key={identity.id}
              icon={<IconGoogle size={18} />}
              title={m.google()}
              text={
                <>
                  {identity.email}
                  {' · '}
                  {m.linked()} <When moment={identity.created_at} />
                </>
              }
            >
              <Button
                size="xs"
                variant="default"
                disabled={!mayUnlink}
                aria-describedby={mayUnlink ? undefined : 'last-way-in'}
                onClick={() => setLeaving(identity)}
              >
                {m.google_unlink()}
              </Button>
            </SectionRow>
          ))}
        </SectionList>
      ) : (
        <SectionBody>
          <p>{isOffered ? m.google_none() : m.google_not_offered()}</p>
        </SectionBody>
      )}
      {identities.length > 0 && !mayUnlink && (
        <SectionFoot note={<span id="last-way-in">{m.google_last()}</span>}>{null}</SectionFoot>
      )}
      {identities.length === 0 && isOffered && <LinkGoogle />}
      {leaving && <UnlinkDialog identity={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}
