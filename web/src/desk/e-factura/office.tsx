import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { DateField } from '../../components/dates/date-field.tsx'
import { today } from '../../components/dates/typed.ts'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './e-factura.module.css'

type Office = Row<'tax-offices'>
type Of = { office: Office; onClose: () => void }

/** Leaves for the office, where a person with a certificate authorises the portal. */
function Authorise({ office, onClose }: Of) {
  const action = useAction('tax-offices', 'authorise')
  const go = ({ url }: { url: string }) => location.assign(url)
  return (
    <VerbDialog
      title={m.desk_efactura_authorise_title()}
      text={m.desk_efactura_authorise_text()}
      verb={m.desk_efactura_authorise_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: office.id, payload: {}, headers: because(reason) }, { onSuccess: go })
      }
      onClose={onClose}
    />
  )
}

function SwitchOn({ office, onClose }: Of) {
  const action = useAction('tax-offices', 'switchOn')
  const [fromDay, setFromDay] = useState(office.from_day ?? today())
  const done = () => {
    onClose()
    toast(m.desk_efactura_on_done())
  }
  return (
    <VerbDialog
      title={m.desk_efactura_on_title()}
      text={m.desk_efactura_on_text()}
      verb={m.desk_efactura_on_verb()}
      action={action}
      onConfirm={(reason) =>
        action.mutate(
          { id: office.id, payload: { from_day: fromDay }, headers: because(reason) },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <DateField label={m.desk_efactura_from()} required value={fromDay} onChange={setFromDay} />
    </VerbDialog>
  )
}

function SwitchOff({ office, onClose }: Of) {
  const action = useAction('tax-offices', 'switchOff')
  const done = () => {
    onClose()
    toast(m.desk_efactura_off_done())
  }
  return (
    <VerbDialog
      title={m.desk_efactura_off_title()}
      text={m.desk_efactura_off_text()}
      verb={m.desk_efactura_off_verb()}
      danger
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: office.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

const dialogs = { authorise: Authorise, switchOn: SwitchOn, switchOff: SwitchOff } as const

const labels = {
  authorise: m.desk_efactura_authorise,
  switchOn: m.desk_efactura_on,
  switchOff: m.desk_efactura_off,
} as const

type Verb = keyof typeof dialogs

/** The actions that an administrator may use on the office now. */
const verbsOf = ({ is_on, is_authorised, may }: Office): Verb[] =>
  (
    [
      'authorise',
      ...(is_authorised && !is_on ? ['switchOn' as const] : []),
      ...(is_on ? ['switchOff' as const] : []),
    ] as const
  ).filter((verb) => may[verb])

/** The office that documents are sent to: whether it is on, and how long the access lasts. */
export function OfficeState({ office }: { office: Office }) {
  const [open, setOpen] = useState<Verb>()
  const { environment, is_on, from_day, is_authorised, refresh_ends_at, paused_until } = office
  const Dialog = open && dialogs[open]
  return (
    <Section
      id="office"
      title={environment === 'prod' ? m.desk_efactura_prod() : m.desk_efactura_test()}
      aside={
        <Status tone={is_on ? 'good' : 'idle'}>
          {is_on ? m.desk_efactura_is_on() : m.desk_efactura_is_off()}
        </Status>
      }
    >
      <SectionBody>
        <ul className={classes.facts}>
          {is_on && from_day !== null && (
            <li>{m.desk_efactura_since({ day: dayInWords(from_day, language()) })}</li>
          )}
          <li>
            {is_authorised && refresh_ends_at !== null
              ? m.desk_efactura_authorised_until({
                  day: dayInWords(refresh_ends_at.slice(0, 10), language()),
                })
              : m.desk_efactura_not_authorised()}
          </li>
          {paused_until !== null && (
            <li>
              {m.desk_efactura_paused()} <When moment={paused_until} />
            </li>
          )}
        </ul>
      </SectionBody>
      {verbsOf(office).length > 0 && (
        <SectionFoot>
          {verbsOf(office).map((verb) => (
            <Button key={verb} variant="default" onClick={() => setOpen(verb)}>
              {labels[verb]()}
            </Button>
          ))}
        </SectionFoot>
      )}
      {Dialog && <Dialog office={office} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}
