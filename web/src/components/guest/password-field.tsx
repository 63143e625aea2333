import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import classes from './password-field.module.css'

/** Wide enough for the longer of the two words, in both languages. */
const wordWidth = 76

/**
 * A password field with a button to show it. The library's own weighs 2.8 KB more, which the budget of the
 * sign-in page does not allow.
 */
export function PasswordField(props: TextInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      maxLength={128}
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={shown ? 'text' : 'password'}
      rightSectionWidth={wordWidth}
      rightSectionPointerEvents="all"
      rightSection={
        <button
          type="button"
          className={classes.show}
          aria-label={shown ? m.hide_password() : m.show_password()}
          onClick={() => setShown(!shown)}
        >
          {shown ? m.hide() : m.show()}
        </button>
      }
    />
  )
}
