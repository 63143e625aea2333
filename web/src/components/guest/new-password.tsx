import type { GetInputPropsReturnType } from '@mantine/form'
import { shortestPassword } from '@portico/contract/rules/password-lengths.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './new-password.module.css'
import { PasswordField } from './password-field.tsx'
import { type Strength, strengthOf } from './strength.ts'

const looks = { short: '', guessable: classes.bad, good: classes.fair, strong: classes.best } as const

function inWords(strength: Strength): string {
  switch (strength.kind) {
    case 'short':
      return m.strength_short({ count: strength.missing })
    case 'guessable':
      return m.strength_guessable()
    case 'good':
      return m.strength_good()
    case 'strong':
      return m.strength_strong()
  }
}

/** The strength of a password, in a word next to a bar. */
function Meter({ password, about }: { password: string; about: readonly string[] }) {
  const strength = strengthOf(password, about)
  return (
    <>
      <span className={`${classes.meter} ${looks[strength.kind]}`} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {password === '' ? m.strength_hint({ count: shortestPassword }) : inWords(strength)}
    </>
  )
}

type Passwords = { password: string; retype: string }
type Props = {
  label?: string
  values: Passwords
  field: (name: keyof Passwords) => GetInputPropsReturnType
  /** Known facts about the person, which a password should not contain. */
  about: readonly string[]
}

/** A new password and its repetition, with a strength meter. */
export function NewPassword({ label = m.new_password(), values, field, about }: Props) {
  const given = field('password')
  const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        autoComplete="new-password"
        required
        withAsterisk={false}
        inputWrapperOrder={order}
        // No strength is shown for a password that was refused.
        description={!given.error && <Meter password={values.password} about={about} />}
        {...given}
      />
      <PasswordField
        label={m.retype_password()}
        name="retype"
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...field('retype')}
      />
    </>
  )
}

/** A fault that concerns both fields. */
export const retypeFault = ({ password, retype }: Passwords) =>
  password === retype ? {} : { retype: m.fault_retype() }
