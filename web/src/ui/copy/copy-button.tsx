import { Button } from '@mantine/core'
import { useCopying } from './copying.ts'

type Props = { value: string; label: string; done: string }

/** Copies, and says so in its own place. Where there is no clipboard the text is marked by hand. */
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
