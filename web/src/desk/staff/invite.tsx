import { NativeSelect, TextInput } from '@mantine/core'
import { givenRoles, staffRoles } from '@portico/contract/rules/staff-roles.ts'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { type Language, languageNames, languages, language as spoken } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { type Member, roleNames } from './words.ts'

/** The fields of an invitation; for a person who is invited again they are known. */
type Wish = { email: string; display_name: string; role: Member['role']; language: Language }

const among = <T extends string>(choices: readonly T[], value: string, last: T): T =>
  choices.find((one) => one === value) ?? last

function Fields({ wish, onChange }: { wish: Wish; onChange: (change: Partial<Wish>) => void }) {
  return (
    <>
      <TextInput
        data-autofocus
        label={m.email()}
        type="email"
        required
        maxLength={254}
        value={wish.email}
        onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
      />
      <TextInput
        label={m.desk_staff_invite_name()}
        required
        maxLength={80}
        value={wish.display_name}
        onChange={({ currentTarget }) => onChange({ display_name: currentTarget.value })}
      />
      <NativeSelect
        label={m.desk_column_role()}
        value={wish.role}
        data={staffRoles.map((value) => ({ value, label: roleNames[value]() }))}
        onChange={({ currentTarget }) =>
          onChange({ role: among(staffRoles, currentTarget.value, wish.role) })
        }
      />
    </>
  )
}

/** Invites a member of staff, or one again whose link was not used. */
export function Invite({ member, onClose }: { member?: Member; onClose: () => void }) {
  const action = useAction('desk-staff', 'invite')
  const [wish, setWish] = useState<Wish>({
    email: member?.email ?? '',
    display_name: member?.display_name ?? '',
    role: member?.role ?? 'support',
    language: spoken(),
  })
  const change = (part: Partial<Wish>) => setWish((last) => ({ ...last, ...part }))
  const onSuccess = () => {
    onClose()
    toast(m.desk_staff_invite_done())
  }
  const { role, ...named } = wish
  const given = givenRoles.find((one) => one === role)
  const second = useSecond({ verb: 'inviteAdmin', about: null, input: () => named, onClose })
  const invite = (reason: string) =>
    given === undefined
      ? second.ask(reason)
      : action.mutate({ payload: { ...named, role: given }, headers: because(reason) }, { onSuccess })
  return (
    <VerbDialog
      title={m.desk_staff_invite_title()}
      text={member ? m.desk_staff_invite_again_text({ email: member.email }) : m.desk_staff_invite_text()}
      verb={given === undefined ? m.desk_second_ask() : m.desk_staff_invite_verb()}
      action={given === undefined ? second : action}
      onConfirm={invite}
      onClose={onClose}
    >
      {!member && <Fields wish={wish} onChange={change} />}
      {given === undefined && <p>{m.desk_second_always()}</p>}
      <NativeSelect
        label={m.desk_staff_invite_language()}
        value={wish.language}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChange={({ currentTarget }) =>
          change({ language: among(languages, currentTarget.value, wish.language) })
        }
      />
    </VerbDialog>
  )
}
