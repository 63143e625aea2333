import { useQuery } from '@tanstack/react-query'
import { offerQuery } from '../../../api/queries/offer.ts'
import { identitiesQuery, passkeysQuery, securityQuery } from '../../../api/queries/security.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Section } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import { useArrivalAtSection } from '../section-nav.tsx'
import { EmailBody } from './email.tsx'
import { PasskeysBody } from './passkeys.tsx'
import { PasswordForm } from './password.tsx'
import { SignInsBody } from './sign-ins.tsx'
import { TwoFactorBody } from './two-factor.tsx'

/** The ways into the account. */
export function SignInGroup() {
  const security = useQuery(securityQuery)
  const passkeys = useQuery(passkeysQuery)
  const identities = useQuery(identitiesQuery)
  const isOffered = useQuery(offerQuery).data?.google ?? false
  const isOn = security.data?.two_factor.enabled
  const state = isOn !== undefined && (
    <Status tone={isOn ? 'good' : 'idle'}>{isOn ? m.state_on() : m.state_off()}</Status>
  )
  useArrivalAtSection([security, passkeys, identities].every(({ isLoading }) => !isLoading))
  return (
    <>
      <Section id="email" title={m.account_email()} lead={m.email_lead()}>
        <Loaded query={security} rows={2}>
          {(data) => <EmailBody security={data} />}
        </Loaded>
      </Section>
      <Section id="password" title={m.password()} lead={m.password_lead()}>
        <Loaded query={security} rows={4}>
          {(data) => <PasswordForm security={data} />}
        </Loaded>
      </Section>
      <Section id="two-factor" title={m.account_two_factor()} aside={state} lead={m.two_factor_lead()}>
        <Loaded query={security} rows={2}>
          {(data) => <TwoFactorBody security={data} />}
        </Loaded>
      </Section>
      <Section id="passkeys" title={m.account_passkeys()} lead={m.passkeys_lead()}>
        <Loaded query={passkeys} rows={2}>
          {(data) => <PasskeysBody passkeys={data.passkeys} />}
        </Loaded>
      </Section>
      <Section id="sign-ins" title={m.account_sign_ins()} lead={m.sign_ins_lead()}>
        <Loaded query={security} rows={2}>
          {(data) => (
            <Loaded query={identities} rows={2}>
              {({ identities: linked }) => (
                <SignInsBody identities={linked} security={data} isOffered={isOffered} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Section>
    </>
  )
}
