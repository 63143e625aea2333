import { useState } from 'react'

/** Long enough to see that it was done. */
const saidFor = 2_000

/** Whether a text was copied just now, and how to copy it. A page that is not secure has no clipboard: there is no way. */
export function useCopying(value: string): { copied: boolean; copy: () => void } | undefined {
  const [copied, setCopied] = useState(false)
  if (!navigator.clipboard) return undefined
  const write = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), saidFor)
  }
  return { copied, copy: () => void write() }
}
