import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { Suspense, useState } from 'react'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { When } from '../../../components/when.tsx'
import { next } from '../../../stores/session.ts'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { IconGoogle } from '../../../ui/more-icons.tsx'
import { SectionBody, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import type { Identity, Security } from '../security-data.ts'

const UnlinkDialog = lazily(async () => (await import('./unlink-dialog.tsx')).UnlinkDialog)

/** Leaves for Google and returns to this section. */
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

/**
 * The external accounts that sign the person in. The last sign-in method cannot be removed, and the page says
 * why.
 */
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
      <Suspense>
        {leaving && <UnlinkDialog identity={leaving} onClose={() => setLeaving(undefined)} />}
      </Suspense>
    </>
  )
}
