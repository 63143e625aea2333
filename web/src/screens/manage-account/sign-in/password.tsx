import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { longestPassword } from '@portico/contract/rules/password-lengths.ts'
import { useUser } from '../../../api/queries/user.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../../components/form-foot/submit-button.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { NewPassword, retypeFault } from '../../../components/guest/new-password.tsx'
import { PasswordField } from '../../../components/guest/password-field.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'
import type { Security } from '../security-data.ts'

type Values = { current_password: string; password: string; retype: string }

function faultsOf(values: Values, hasPassword: boolean) {
  const current = [...values.current_password].length
  const isCurrentGiven = !hasPassword || (current > 0 && current <= longestPassword)
  return { ...(!isCurrentGiven && { current_password: m.fault_password() }), ...retypeFault(values) }
}

/** Changes the password, or sets the first one of an account that was created with Google. */
export function PasswordForm({ security }: { security: Security }) {
  const { email, has_password } = security
  const user = useUser()
  const change = useCall(addresses.changePassword)
  const form = useSavingForm({
    initial: { current_password: '', password: '', retype: '' },
    schema: async () => (await import('../rules.ts')).password,
    alsoCheck: (values) => faultsOf(values, has_password),
    save: async ({ current_password, password: chosen }) => {
      await change.mutateAsync({ ...(has_password && { current_password }), password: chosen })
      toast(has_password ? m.password_changed() : m.password_was_set(), m.password_changed_text())
      form.form.reset()
    },
  })
  return (
    <form {...form.formProps}>
      <SectionBody>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {has_password && (
          <PasswordField
            label={m.password_current()}
            name="current-password"
            autoComplete="current-password"
            {...form.field('current_password')}
          />
        )}
        <NewPassword
          label={m.password_new()}
          values={form.form.values}
          field={form.field}
          about={[email, user.first_name, user.last_name]}
        />
      </SectionBody>
      <SectionFoot note={form.refusal ? <Refusal>{form.refusal}</Refusal> : m.password_note()}>
        <SubmitButton loading={form.isSaving}>
          {has_password ? m.password_change() : m.password_set()}
        </SubmitButton>
      </SectionFoot>
    </form>
  )
}
