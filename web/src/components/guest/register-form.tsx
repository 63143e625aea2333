import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { register } from '@portico/contract/calls/registration.ts'
import { fault } from '@portico/contract/refusals/fields.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { call } from '../../api/call.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { registering, resendAfter } from '../../stores/registering.ts'
import { m } from '../../texts/compiled/messages.js'
import { useRunning } from '../../ui/loading/running.ts'
import { useSavingForm } from '../forms/saving-form.ts'
import { Refusal } from './card.tsx'
import classes from './guest.module.css'
import { NewPassword, retypeFault } from './new-password.tsx'
import { toward, useNext } from './search.ts'
import { AcceptTerms } from './terms.tsx'

const { first_name, last_name, email, password } = register.input.shape
const schema = z.object({
  first_name,
  last_name,
  email,
  password,
  retype: z.string(),
  terms: z.boolean().check(z.refine((accepted) => accepted, fault('terms_not_accepted'))),
})
type Values = z.output<typeof schema>

const nothing: Values = { first_name: '', last_name: '', email: '', password: '', retype: '', terms: false }

function useRegistering() {
  const navigate = useNavigate()
  const next = useNext()
  return useSavingForm({
    initial: nothing,
    schema,
    alsoCheck: retypeFault,
    save: async ({ retype: _, ...given }) => {
      await call(addresses.register, { ...given, terms: true, language: language() })
      const { first_name, last_name, email } = given
      registering.keep({ first_name, last_name, email, again_at: Date.now() + resendAfter })
      await navigate({ href: toward(href('verify'), next) })
    },
  })
}

type Form = ReturnType<typeof useRegistering>

/**
 * A person can type before this script runs, return to a filled form, or come from an invitation with an
 * address.
 */
function useWhatIsThere({ form, formProps: { ref } }: Form): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has come to life.
  useEffect(() => {
    const typed = Object.fromEntries(new FormData(ref.current ?? undefined))
    const { again_at: _, ...who } = registering.get() ?? { again_at: 0 }
    const texts = Object.entries(typed).filter(([, text]) => text !== '')
    const invited = new URLSearchParams(location.search).get('email')
    form.setValues({
      ...who,
      ...(invited && { email: invited }),
      ...Object.fromEntries(texts),
      terms: 'terms' in typed,
    })
  }, [])
}

function Fields({ form, field }: Form) {
  const { first_name, last_name, email } = form.values
  const quiet = { required: true, withAsterisk: false }
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={m.first_name()}
          name="first_name"
          autoComplete="given-name"
          {...quiet}
          {...field('first_name')}
        />
        <TextInput
          label={m.last_name()}
          name="last_name"
          autoComplete="family-name"
          {...quiet}
          {...field('last_name')}
        />
      </div>
      <TextInput
        label={m.email()}
        name="email"
        type="email"
        autoComplete="username"
        {...quiet}
        {...field('email')}
      />
      <NewPassword values={form.values} field={field} about={[first_name, last_name, email]} />
      <AcceptTerms field={field} />
    </>
  )
}

/** The form of a new account by e-mail, whose address is confirmed next. */
export function RegisterForm() {
  const registration = useRegistering()
  useWhatIsThere(registration)
  const running = useRunning()
  return (
    <form className={classes.stack} {...registration.formProps}>
      <Refusal message={registration.refusal} />
      <Fields {...registration} />
      {/** The form has no submit button until the app can handle it. */}
      <Button
        type={running ? 'submit' : 'button'}
        aria-disabled={!running}
        fullWidth
        loading={registration.isSaving}
      >
        {m.register_title()}
      </Button>
    </form>
  )
}
