import { TextInput, type TextInputProps } from '@mantine/core'

/** A code of the authenticator app, offered by the browser where it knows one. `digits`: six of them and nothing else. */
export function CodeField({ digits = false, ...props }: TextInputProps & { digits?: boolean }) {
  return (
    <TextInput
      data-autofocus
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...(digits && { inputMode: 'numeric' })}
      maxLength={40}
      styles={{ input: { fontVariantNumeric: 'tabular-nums', maxWidth: 240 } }}
      {...props}
    />
  )
}
