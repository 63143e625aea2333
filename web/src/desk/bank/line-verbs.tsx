import { Button, Group, Radio, TextInput } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { money, sum } from '../../ui/format.ts'
import { clientName } from '../client/words.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './bank.module.css'
import { candidateInWords, type Line, OtherLine, otherInWords, Payer } from './line-words.tsx'
import '../../ui/styles/radio.ts'

type Of = { line: Line; onClose: () => void }

/** The open documents in the currency of the line, and the clients, that a search finds; undefined until it has an answer. */
function useFound(typed: string, currency: string) {
  const search = typed.trim()
  const enabled = search.length >= leastOfWideSearch
  const page = { number: 1, size: 10 }
  const clients = useQuery({ ...list('desk-clients', { filter: { search }, page }), enabled })
  const documents = useQuery({ ...list('invoices', { filter: { payable: search }, page }), enabled })
  if (!enabled || !clients.data || !documents.data) return undefined
  return [
    ...documents.data.items
      .filter((one) => one.currency === currency)
      .map((one) => ({
        value: `invoice ${one.id}`,
        label: [
          `${one.full_number} (${money(sum([one.open, one.written_off]), currency)})`,
          one.buyer_name,
        ].join(' · '),
      })),
    ...clients.data.items.map((client) => ({
      value: `client ${client.id}`,
      label: [m.desk_bank_balance(), clientName(client), client.email].join(' · '),
    })),
  ]
}

/** The value of a candidate: what `matchLine` takes, and its id. */
function choiceOf({ payment_id, invoice_id, client_id }: Line['candidates'][number]): string {
  if (payment_id !== null) return `payment ${payment_id}`
  return invoice_id === null ? `client ${client_id}` : `invoice ${invoice_id}`
}

/** Chooses among the candidates, or any open document or client. */
function Match({ line, onClose }: Of) {
  const action = useAction('bank-lines', 'matchLine')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState('')
  const found = useFound(search, line.currency)
  const proposed = line.candidates.map((one) => ({
    value: choiceOf(one),
    label: candidateInWords(one, line.currency),
  }))
  const isProposed = (value: string) => proposed.some((one) => one.value === value)
  const further = found?.filter(({ value }) => !isProposed(value)) ?? []
  const choose = (value: string) => {
    // A refusal is about the choice before.
    action.reset()
    setChosen(value)
  }
  const confirm = (reason: string) => {
    const [kind, id] = chosen.split(' ')
    const payload = { [`${kind}_id`]: Number(id) }
    const done = () => {
      onClose()
      toast((kind === 'payment' ? m.desk_bank_matched_by_hand : m.desk_bank_matched)())
    }
    action.mutate({ id: line.id, payload, headers: because(reason) }, { onSuccess: done })
  }
  return (
    <VerbDialog
      title={m.desk_bank_match_title({ amount: money(line.amount, line.currency) })}
      text={m.desk_bank_match_text()}
      verb={m.desk_bank_match_verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Payer line={line} />
      <Radio.Group label={m.desk_bank_whose()} value={chosen} onChange={choose} required>
        <div className={classes.choices}>
          {[...proposed, ...further].map(({ value, label }) => (
            <Radio key={value} value={value} label={label} required />
          ))}
        </div>
      </Radio.Group>
      <div>
        <TextInput
          type="search"
          label={m.desk_bank_find()}
          value={search}
          maxLength={100}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <p role="status" className={classes.none}>
          {found?.length === 0 && m.nothing_found()}
        </p>
      </div>
    </VerbDialog>
  )
}

const others = {
  sameMoney: {
    label: m.desk_bank_same,
    title: m.desk_bank_same_title,
    text: m.desk_bank_same_text,
    verb: m.desk_bank_same_verb,
    done: m.desk_bank_same_done,
  },
  otherMoney: {
    label: m.desk_bank_other,
    title: m.desk_bank_other_title,
    text: m.desk_bank_other_text,
    verb: m.desk_bank_other_verb,
    done: m.desk_bank_other_done,
  },
  ignoreLine: {
    label: m.desk_bank_ignore,
    title: m.desk_bank_ignore_title,
    text: m.desk_bank_ignore_text,
    verb: m.desk_bank_ignore_verb,
    done: m.desk_bank_ignore_done,
  },
  returnLine: {
    label: m.desk_bank_return,
    title: m.desk_bank_return_title,
    text: m.desk_bank_return_text,
    verb: m.desk_bank_return_verb,
    done: m.desk_bank_return_done,
  },
  undoMatch: {
    label: m.desk_bank_undo,
    title: m.desk_bank_undo_title,
    text: m.desk_bank_undo_text,
    verb: m.desk_bank_undo_verb,
    done: m.desk_bank_undo_done,
  },
} as const

type Other = keyof typeof others

function Decide({ line, verb, onClose }: Of & { verb: Exclude<Other, 'sameMoney'> }) {
  const action = useAction('bank-lines', verb)
  const words = others[verb]
  const done = () => {
    onClose()
    toast(words.done())
  }
  return (
    <VerbDialog
      title={words.title({ amount: money(line.amount, line.currency) })}
      text={words.text()}
      verb={words.verb()}
      danger={verb === 'undoMatch'}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: line.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    >
      <Payer line={line} />
      {verb === 'otherMoney' && <OtherLine line={line} />}
    </VerbDialog>
  )
}

/** Chooses the line whose money a doubtful one is. */
function Same({ line, onClose }: Of) {
  const action = useAction('bank-lines', 'sameMoney')
  const [chosen, setChosen] = useState(`${line.other_lines[0]?.id}`)
  const words = others.sameMoney
  const done = () => {
    onClose()
    toast(words.done())
  }
  const confirm = (reason: string) =>
    action.mutate(
      { id: line.id, payload: { of: Number(chosen) }, headers: because(reason) },
      { onSuccess: done },
    )
  return (
    <VerbDialog
      title={words.title({ amount: money(line.amount, line.currency) })}
      text={words.text()}
      verb={words.verb()}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Payer line={line} />
      <Radio.Group label={m.desk_bank_same_of()} value={chosen} onChange={setChosen} required>
        <div className={classes.choices}>
          {line.other_lines.map((other) => (
            <Radio key={other.id} value={`${other.id}`} label={otherInWords(other, line.currency)} required />
          ))}
        </div>
      </Radio.Group>
    </VerbDialog>
  )
}

/** By the state of the line. */
const verbs: Record<Line['state'], readonly (Other | 'matchLine')[]> = {
  open: ['matchLine', 'ignoreLine', 'returnLine'],
  matched: ['undoMatch'],
  ignored: ['undoMatch'],
  returned: ['undoMatch'],
  taken_back: [],
  doubtful: ['sameMoney', 'otherMoney'],
  same: ['undoMatch'],
}

/** A line that was taken for other money may still be the money of its other line. */
const verbsOf = ({ state, other_lines }: Line) =>
  state === 'open' && other_lines.length > 0 ? [...verbs.open, 'sameMoney' as const] : verbs[state]

/** The actions that the reader may use on a line. */
export function LineVerbs({ line }: { line: Line }) {
  const [open, setOpen] = useState<Other | 'matchLine'>()
  const label = (name: Other | 'matchLine') =>
    name === 'matchLine' ? m.desk_bank_match() : others[name].label()
  const close = () => setOpen(undefined)
  return (
    <Group gap={8} wrap="wrap">
      {verbsOf(line)
        .filter((name) => line.may[name])
        .map((name) => (
          <Button key={name} size="xs" variant="default" onClick={() => setOpen(name)}>
            {label(name)}
          </Button>
        ))}
      {open === 'matchLine' && <Match line={line} onClose={close} />}
      {open === 'sameMoney' && <Same line={line} onClose={close} />}
      {open !== undefined && open !== 'matchLine' && open !== 'sameMoney' && (
        <Decide line={line} verb={open} onClose={close} />
      )}
    </Group>
  )
}
