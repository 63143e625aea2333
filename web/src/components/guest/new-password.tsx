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

/** How good a password is, in a word beside the bar. */
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
  /** What others know of the person, which a password should not hold. */
  about: readonly string[]
}

/** A password that is being chosen, twice, with how good it is. */
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
        // What was refused is not praised beside it.
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

/** What no rule of a single field can say. */
export const retypeFault = ({ password, retype }: Passwords) =>
  password === retype ? {} : { retype: m.fault_retype() }
