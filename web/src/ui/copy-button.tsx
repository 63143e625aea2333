import { Button } from '@mantine/core'
import { useState } from 'react'

/** Long enough to see that it was done. */
const saidFor = 2_000

type Props = { value: string; label: string; done: string }

/** Copies, and says so in its own place. A page that is not secure has no clipboard: there the text is marked by hand. */
export function CopyButton({ value, label, done }: Props) {
  const [copied, setCopied] = useState(false)
  if (!navigator.clipboard) return null
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), saidFor)
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => void copy()}>
        {copied ? done : label}
      </Button>
      <span className="unseen" role="status">
        {copied && done}
      </span>
    </>
  )
}
