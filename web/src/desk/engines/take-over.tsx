import { Button, Checkbox } from '@mantine/core'
import { mostAccounts } from '@portico/contract/rules/take-over.ts'
import { useState } from 'react'
import type { ActionOf, Output } from '../../api/actions.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './engines.module.css'
import { useInParts } from './in-parts.ts'
import { Release } from './release.tsx'
import type { Engine } from './words.ts'
import '../../ui/styles/checkbox.ts'

export type Found = Output<ActionOf<'desk-engines', 'accounts'>>
type Account = Found['accounts'][number]
type Wanted = { readonly id: string; readonly client_id: number }
type Part = { readonly accounts: readonly Wanted[]; readonly reason: string }
type Said = Output<ActionOf<'desk-engines', 'takeOver'>>

/** The one client whom an account fits, or why there is none. */
function fitOf({ match, candidates }: Account): string {
  if (match)
    return match.by === 'mail'
      ? m.desk_accounts_by_mail({ email: match.email })
      : m.desk_accounts_by_domain({ email: match.email })
  return candidates > 1 ? m.desk_accounts_several_fit({ candidates }) : m.desk_accounts_none_fits()
}

function planOf({ plan, our_plan: ours }: Account): string {
  if (plan === null) return m.desk_accounts_plan_none()
  return ours === null ? m.desk_accounts_plan_unknown({ plan }) : m.desk_accounts_plan({ plan, ours })
}

type ListProps = {
  accounts: readonly Account[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}

function Accounts({ accounts, chosen, onChoose }: ListProps) {
  const turn = (id: string) =>
    onChoose(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard.
    <ul className={classes.accounts} aria-label={m.desk_accounts_list()} tabIndex={0}>
      {accounts.map((account) => (
        <li key={account.id}>
          <Checkbox
            label={[account.name, account.domain, account.email].filter(Boolean).join(' · ')}
            description={`${fitOf(account)} · ${planOf(account)}`}
            disabled={account.match === null}
            checked={chosen.has(account.id)}
            onChange={() => turn(account.id)}
          />
        </li>
      ))}
    </ul>
  )
}

/** A sum over the answers of the parts. */
const total = (answers: readonly Said[], of: 'linked' | 'refused') =>
  answers.reduce((sum, said) => sum + said[of], 0)

type Props = { engine: Engine; found: Found; onClose: () => void }

/** The accounts that an engine has from before the portal: those that fit a client are linked. */
export function TakeOver({ engine, found, onClose }: Props) {
  const { accounts, unclear, linked } = found
  const action = useAction('desk-engines', 'takeOver')
  const fitting = accounts.flatMap(({ id, match }) => (match ? [{ id, client_id: match.client_id }] : []))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(fitting.map(({ id }) => id)))
  const [isReleasing, setReleasing] = useState(false)
  const { isRunning, begin } = useInParts<Part, Said>(
    ({ reason, ...payload }, then) =>
      action.mutate(
        { id: engine.id, payload: { accounts: [...payload.accounts] }, headers: because(reason) },
        then,
      ),
    (answers) => {
      onClose()
      toast(
        m.desk_accounts_done({
          linked: total(answers, 'linked'),
          refused: total(answers, 'refused'),
          unclear: answers.at(-1)?.unclear ?? 0,
        }),
      )
    },
  )
  if (isReleasing) return <Release engine={engine} linked={linked} onClose={onClose} />
  const wanted = fitting.filter(({ id }) => chosen.has(id))
  const partAt = (reason: string) => (done: number) => {
    const part = wanted.slice(done * mostAccounts, (done + 1) * mostAccounts)
    return part.length > 0 || done === 0 ? { accounts: part, reason } : undefined
  }
  return (
    <VerbDialog
      title={m.desk_accounts_title({ name: engine.name })}
      text={accounts.length > 0 ? m.desk_accounts_text() : m.desk_accounts_empty()}
      verb={m.desk_accounts_verb({ accounts: wanted.length + unclear })}
      disabled={wanted.length + unclear === 0}
      action={{ isPending: action.isPending || isRunning, error: action.error }}
      onConfirm={(reason) => begin(partAt(reason))}
      onClose={onClose}
    >
      {accounts.length > 0 && <Accounts accounts={accounts} chosen={chosen} onChoose={setChosen} />}
      {unclear > 0 && <p>{m.desk_accounts_unclear({ unclear })}</p>}
      {linked > 0 && (
        <Button variant="subtle" size="xs" onClick={() => setReleasing(true)}>
          {m.desk_release_open({ linked })}
        </Button>
      )}
    </VerbDialog>
  )
}
