import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { exportsQuery } from '../../api/queries/account.ts'
import {
  identitiesQuery,
  offerQuery,
  passkeysQuery,
  securityQuery,
  sessionsQuery,
} from '../../api/queries/security.ts'
import { useUser } from '../../api/queries/user.ts'
import { AskBeforeLeaving } from '../../components/forms/ask-before-leaving.tsx'
import { Loaded, RowBones } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { SecurityLogBody } from './activity/security-log.tsx'
import { SessionsBody } from './activity/sessions.tsx'
import { BillingForm } from './billing/billing.tsx'
import { BillingEmailsForm } from './billing/billing-emails.tsx'
import { entityQuery } from './billing/billing-fields.ts'
import { Currency, currencyOf } from './billing/currency.tsx'
import { CloseAccount } from './data/close-account.tsx'
import { CopyOfData } from './data/copy-of-data.tsx'
import { MailChoices } from './mail-choices.tsx'
import classes from './manage-account.module.css'
import { Personal } from './personal.tsx'
import { Preferences } from './preferences.tsx'
import { SectionNav, useArrivalAtSection } from './section-nav.tsx'
import { hasStaffNotices } from './sections.ts'
import { EmailBody } from './sign-in/email.tsx'
import { PasskeysBody } from './sign-in/passkeys.tsx'
import { PasswordForm } from './sign-in/password.tsx'
import { SignInsBody } from './sign-in/sign-ins.tsx'
import { TwoFactorBody } from './sign-in/two-factor.tsx'

const StaffNotices = lazily(async () => (await import('./staff-notices.tsx')).StaffNotices)

function Billing() {
  const query = useQuery(entityQuery)
  const currency = useQuery(currencyOf(useUser().id))
  return (
    <>
      <Section id="billing" title={m.account_billing()} lead={m.billing_lead()}>
        <Loaded query={query} rows={8}>
          {({ items: [entity] }) => entity && <BillingForm entity={entity} />}
        </Loaded>
      </Section>
      <Section id="currency" title={m.account_currency()} lead={m.currency_lead()}>
        <Loaded query={currency} rows={1}>
          {(choice) => <Currency choice={choice} />}
        </Loaded>
      </Section>
      <Section id="billing-emails" title={m.account_billing_emails()} lead={m.billing_emails_lead()}>
        <Loaded query={query} rows={1}>
          {({ items: [entity] }) => entity && <BillingEmailsForm entity={entity} />}
        </Loaded>
      </Section>
    </>
  )
}

function SignIn() {
  const security = useQuery(securityQuery)
  const passkeys = useQuery(passkeysQuery)
  const identities = useQuery(identitiesQuery)
  const isOffered = useQuery(offerQuery).data?.google ?? false
  const isOn = security.data?.two_factor.enabled
  const state = isOn !== undefined && (
    <Status tone={isOn ? 'good' : 'idle'}>{isOn ? m.state_on() : m.state_off()}</Status>
  )
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

function Activity() {
  const sessions = useQuery(sessionsQuery)
  return (
    <>
      <Section id="sessions" title={m.account_sessions()} lead={m.sessions_lead()}>
        <Loaded query={sessions} rows={2}>
          {(data) => <SessionsBody sessions={data.sessions} />}
        </Loaded>
      </Section>
      <Section id="security-log" title={m.account_log()} lead={m.log_lead()}>
        <SecurityLogBody />
      </Section>
    </>
  )
}

/** Whether everything above a section has its final height. */
function useHasArrived(): boolean {
  // Staff have neither billing details nor data exports.
  const { id, staff } = useUser()
  const enabled = staff === null
  const queries = [
    useQuery({ ...entityQuery, enabled }),
    useQuery({ ...currencyOf(id), enabled }),
    useQuery(securityQuery),
    useQuery(passkeysQuery),
    useQuery(identitiesQuery),
    useQuery(sessionsQuery),
    useQuery({ ...exportsQuery, enabled }),
  ]
  return queries.every(({ isLoading }) => !isLoading)
}

/** The account page: personal data, billing, sign-in and activity. */
export default function ManageAccountScreen() {
  const { staff } = useUser()
  const isStaff = staff !== null
  useArrivalAtSection(useHasArrived())
  return (
    <>
      <header className={classes.header}>
        <h1 tabIndex={-1}>{m.manage_account_title()}</h1>
      </header>
      <div className={classes.columns}>
        <SectionNav />
        <div className={classes.sections}>
          {!isStaff && <Personal />}
          <Preferences />
          {!isStaff && <MailChoices />}
          {hasStaffNotices(staff) && (
            <Suspense fallback={<RowBones rows={8} />}>
              <StaffNotices id={staff.id} role={staff.role} />
            </Suspense>
          )}
          {!isStaff && <Billing />}
          <SignIn />
          <Activity />
          {!isStaff && <CopyOfData />}
          {!isStaff && <CloseAccount />}
        </div>
      </div>
      <AskBeforeLeaving />
    </>
  )
}
