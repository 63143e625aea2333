import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import classes from '../company/company.module.css'
import { TestLetter, WebhookSeen } from '../settings/results.tsx'
import { SettingsForm } from '../settings/settings-form.tsx'

/** The services that the portal uses, as far as the server does not set them by variables. */
export default function SettingsScreen() {
  const query = useQuery(list('operator-settings', { page: { number: 1, size: 50 } }))
  return (
    <>
      <PageHead title={m.desk_settings_title()} lead={m.desk_settings_lead()} />
      <Loaded query={query} rows={8}>
        {({ items }) => {
          const of = (group: 'mail' | 'payments') => items.filter((one) => one.group === group)
          const isSet = (key: string) => items.some((one) => one.key === key && one.source !== 'none')
          return (
            <div className={classes.page}>
              <SettingsForm
                group="mail"
                title={m.desk_settings_mail()}
                lead={m.desk_settings_mail_lead()}
                settings={of('mail')}
              >
                {isSet('SMTP_URL') && <TestLetter />}
              </SettingsForm>
              <SettingsForm
                group="payments"
                title={m.desk_settings_payments()}
                lead={m.desk_settings_payments_lead()}
                settings={of('payments')}
              >
                {isSet('STRIPE_SECRET_KEY') && <WebhookSeen />}
              </SettingsForm>
            </div>
          )
        }}
      </Loaded>
    </>
  )
}
