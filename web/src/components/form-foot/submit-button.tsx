import { Button, type ButtonProps } from '@mantine/core'

/**
 * Submits its form. Pressing it leaves the focus where it is: a field that is left is checked, and what is said under it
 * would move the button away from under the pointer before it is let go.
 */
export function SubmitButton({ children, ...props }: ButtonProps) {
  return (
    <Button type="submit" onMouseDown={(event) => event.preventDefault()} {...props}>
      {children}
    </Button>
  )
}
