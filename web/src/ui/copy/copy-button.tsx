import { Button } from '@mantine/core'
import { useCopying } from './copying.ts'

type Props = { value: string; label: string; done: string }

/** Copies a text and confirms it on the button. Without a clipboard the text can be selected by hand. */
export function CopyButton({ value, label, done }: Props) {
  const copying = useCopying(value)
  if (!copying) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={copying.copy}>
        {copying.copied ? done : label}
      </Button>
      <span className="unseen" role="status">
        {copying.copied && done}
      </span>
    </>
  )
}
