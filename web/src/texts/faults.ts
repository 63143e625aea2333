import { m } from './compiled/messages.js'

const known: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^Project name is required$/, () => m.fault_project_name()],
  [/^Panel name is required$/, () => m.fault_panel_name()],
  [/^At most (\d+) characters$/, ([, max]) => m.fault_length({ max: max ?? '' })],
  [/^You already have a workspace of this name\.$/, () => m.fault_workspace_taken()],
  [/^This workspace already has a panel of this name\.$/, () => m.fault_panel_taken()],
  [/^Contains characters that cannot be shown$/, () => m.fault_characters()],
]

/** A message of the contract's rules in the person's language; what the server says beyond them is shown as it is. */
export function faultInWords(message: string): string {
  for (const [pattern, say] of known) {
    const match = pattern.exec(message)
    if (match) return say(match)
  }
  return message
}
