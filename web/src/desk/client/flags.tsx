import { clientFlag } from '@portico/contract/rules/client-flags.ts'
import { m } from '../../texts/compiled/messages.js'
import { Status, type Tone } from '../../ui/status.tsx'
import type { Client } from './words.tsx'

export type Flag = (typeof clientFlag)['options'][number]

export const flags: readonly Flag[] = clientFlag.options

const words: Record<Flag, { readonly tone: Tone; readonly name: () => string }> = {
  vip: { tone: 'good', name: m.desk_flag_vip },
  partner: { tone: 'good', name: m.desk_flag_partner },
  pays_late: { tone: 'warn', name: m.desk_flag_pays_late },
  watch: { tone: 'bad', name: m.desk_flag_watch },
  test: { tone: 'idle', name: m.desk_flag_test },
}

export const flagName = (flag: Flag): string => words[flag].name()

/** The marks that staff gave a client. */
export function Flags({ client }: { client: Pick<Client, 'flags'> }) {
  return flags
    .filter((flag) => client.flags.includes(flag))
    .map((flag) => (
      <Status key={flag} tone={words[flag].tone}>
        {flagName(flag)}
      </Status>
    ))
}
