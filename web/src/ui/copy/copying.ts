import { useState } from 'react'

/** How long the confirmation stays, in milliseconds. */
const saidFor = 2_000

/**
 * Whether the text was copied just now, and how to copy it. Undefined in an insecure page, which has no
 * clipboard.
 */
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
