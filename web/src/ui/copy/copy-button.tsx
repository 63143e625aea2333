import { Button } from '@mantine/core'
import { useCopying } from './copying.ts'

type Props = {
  value: string
  label: string
  done: string
  /** In a dialog it has the focus first. */
  isFirst?: boolean
}

/** Copies a text and confirms it on the button. Without a clipboard the text can be selected by hand. */
export function CopyButton({ value, label, done, isFirst = false }: Props) {
  const copying = useCopying(value)
  if (!copying) return null
  return (
    <>
      <Button size="xs" variant="default" data-autofocus={isFirst || undefined} onClick={copying.copy}>
        {copying.copied ? done : label}
      </Button>
      <span className="unseen" role="status">
        {copying.copied && done}
      </span>
    </>
  )
}
