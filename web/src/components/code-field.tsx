import { TextInput, type TextInputProps } from '@mantine/core'

/** A field for an authenticator code, with autofill. `digits`: exactly six digits. */
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
