import type { FunctionComponent } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { FlagClient } from '../client/flag-client.tsx'
import { type Client, clientName } from '../client/words.tsx'
import { ChangeCurrency } from '../client-prices/change-currency.tsx'
import { GiveList } from '../client-prices/give-list.tsx'
import { StopClient } from '../panels/stop-client.tsx'
import { ClientVerbDialog, clientVerbs } from './client-verbs.tsx'
import { ChangeEmail, Erase, ResetFactor, TerminateClient } from './second-verbs.tsx'
import { SetTerms } from './set-terms.tsx'
import { VerbMenu } from './verb-menu.tsx'

type Of = { client: Client; onClose: () => void }
type Entry = {
  readonly label: () => string
  readonly fits: (client: Client) => boolean
  /** Its dialog; without one it asks for its reason alone. */
  readonly Dialog?: FunctionComponent<Of>
}

const isClosed = ({ status }: Client) => status === 4
const isOpen = (client: Client) => !isClosed(client)

const entries = {
  flag: { label: m.desk_flag, fits: isOpen, Dialog: FlagClient },
  resendConfirmation: clientVerbs.resendConfirmation,
  setTerms: { label: m.desk_terms, fits: isOpen, Dialog: SetTerms },
  giveList: { label: m.desk_list, fits: isOpen, Dialog: GiveList },
  changeCurrency: { label: m.desk_currency, fits: isOpen, Dialog: ChangeCurrency },
  exportData: clientVerbs.exportData,
  changeEmail: { label: m.desk_email_change, fits: isOpen, Dialog: ChangeEmail },
  resetSecondFactor: { label: m.desk_factor_reset, fits: isOpen, Dialog: ResetFactor },
  suspendClient: {
    label: m.desk_stop_all,
    fits: ({ stopped_at, panels }) => stopped_at === null && panels > 0,
    Dialog: StopClient,
  },
  resumeClient: clientVerbs.resumeClient,
  terminateClient: {
    label: m.desk_terminate_all,
    fits: ({ panels }) => panels > 0,
    Dialog: TerminateClient,
  },
  unblock: clientVerbs.unblock,
  block: clientVerbs.block,
  closeAccount: clientVerbs.closeAccount,
  erase: {
    label: m.desk_erase,
    fits: (client) => isClosed(client) && client.erased_at === null,
    Dialog: Erase,
  },
} as const satisfies Record<string, Entry>

type Name = keyof typeof entries
const names: readonly Name[] = [
  'flag',
  'resendConfirmation',
  'setTerms',
  'giveList',
  'changeCurrency',
  'exportData',
  'changeEmail',
  'resetSecondFactor',
  'suspendClient',
  'resumeClient',
  'terminateClient',
  'unblock',
  'block',
  'closeAccount',
  'erase',
]

function EntryDialog({ client, name, onClose }: Of & { name: Name }) {
  const entry = entries[name]
  if ('Dialog' in entry) return <entry.Dialog client={client} onClose={onClose} />
  const plain = name as keyof typeof clientVerbs // An entry without a dialog is one of them.
  return (
    <ClientVerbDialog client={{ id: client.id, name: clientName(client) }} name={plain} onClose={onClose} />
  )
}

/** The verbs of an account that are not of every day, where the reader may. */
export function ClientMenu({ client }: { client: Client }) {
  return (
    <VerbMenu
      offered={names.filter((name) => client.may[name] && entries[name].fits(client))}
      label={(name) => entries[name].label()}
      dialog={(name, onClose) => <EntryDialog client={client} name={name} onClose={onClose} />}
    />
  )
}
