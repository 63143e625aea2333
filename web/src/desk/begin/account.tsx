import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { email, newPassword } from '@portico/contract/calls/credentials.ts'
import { line } from '@portico/contract/fields.ts'
import { fault } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import { call } from '../../api/call.ts'
import { Failure } from '../../api/failure.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { NewPassword, retypeFault } from '../../components/guest/new-password.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { stage } from './stage.ts'

const schema = z.object({
  name: line(80, { required: fault('name_required') }),
  email,
  password: newPassword,
  retype: z.string(),
})

type Props = { token: string; onFault: (failure: Failure) => void }

/** The account of the first administrator. */
export function Account({ token, onFault }: Props) {
  const { form, formProps, field, isSaving, refusal } = useSavingForm({
    name: 'first-admin',
    initial: { name: '', email: '', password: '', retype: '' },
    schema,
    alsoCheck: retypeFault,
    save: async ({ retype: _, ...account }) => {
      try {
        const { code } = await call(addresses.createFirstAdmin, { token, ...account, language: language() })
        await call(addresses.callback, { code })
      } catch (error) {
        if (!(error instanceof Failure && /^(?:link|setup)_/.test(error.code ?? ''))) throw error
        return onFault(error)
      }
      stage.set({ kind: 'app' })
    },
  })
  return (
    <GuestCard title={m.desk_begin_title()} lead={m.desk_begin_lead()}>
      <form className={classes.stack} {...formProps}>
        <Refusal message={refusal} />
        <TextInput
          label={m.desk_begin_name()}
          description={m.desk_begin_name_hint()}
          name="name"
          autoComplete="name"
          {...field('name')}
        />
        <TextInput label={m.email()} type="email" name="email" autoComplete="username" {...field('email')} />
        <NewPassword values={form.values} field={field} about={[form.values.email, form.values.name]} />
        <Button type="submit" fullWidth loading={isSaving}>
          {m.desk_begin_create()}
        </Button>
      </form>
    </GuestCard>
  )
}
