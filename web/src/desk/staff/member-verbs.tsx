import { Button, Group, NativeSelect } from '@mantine/core'
import { staffRoles } from '@portico/contract/rules/staff-roles.ts'
import { useState } from 'react'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useSecond } from '../second/use-second.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { Invite } from './invite.tsx'
import { type Member, roleNames } from './words.ts'

type Plain = 'disable' | 'enable' | 'endSessions' | 'resetFactors'
type Of<N> = { member: Member; name: N; onClose: () => void }

const words = {
  endSessions: {
    label: m.desk_staff_end,
    title: m.desk_staff_end_title,
    text: m.desk_staff_end_text,
    done: m.desk_staff_end_done,
  },
  resetFactors: {
    label: m.desk_staff_factor,
    title: m.desk_factor_reset_title,
    text: m.desk_staff_factor_text,
    done: m.desk_staff_factor_done,
  },
  setRole: {
    label: m.desk_staff_role,
    title: m.desk_staff_role_title,
    text: m.desk_staff_role_text,
    done: m.desk_staff_role_done,
  },
  disable: {
    label: m.desk_staff_disable,
    title: m.desk_staff_disable_title,
    text: m.desk_staff_disable_text,
    done: m.desk_staff_disable_done,
  },
  enable: {
    label: m.desk_staff_enable,
    title: m.desk_staff_enable_title,
    text: m.desk_staff_enable_text,
    done: m.desk_staff_enable_done,
  },
} as const

const names = ['endSessions', 'resetFactors', 'setRole', 'disable', 'enable'] as const
type Name = (typeof names)[number]

/** The words of a verb's dialog, and its end. */
function dialogOf({ member, name, onClose }: Of<Name>) {
  const { label, title, text, done } = words[name]
  return {
    dialog: { title: title({ name: member.display_name }), text: text(), verb: label(), onClose },
    onSuccess: () => {
      onClose()
      toast(done())
    },
  }
}

function PlainDialog({ member, name, onClose }: Of<Plain>) {
  const action = useAction('desk-staff', name)
  const { dialog, onSuccess } = dialogOf({ member, name, onClose })
  const confirm = (reason: string) =>
    action.mutate({ id: member.id, payload: {}, headers: because(reason) }, { onSuccess })
  return <VerbDialog {...dialog} danger={name !== 'enable'} action={action} onConfirm={confirm} />
}

/** Asks a second person, who always approves it for an administrator. */
function AdminFactorsDialog({ member, name, onClose }: Of<'resetFactors'>) {
  const { dialog } = dialogOf({ member, name, onClose })
  const second = useSecond({ verb: name, about: member.id, input: () => ({}), onClose })
  return (
    <VerbDialog {...dialog} danger verb={m.desk_second_ask()} action={second} onConfirm={second.ask}>
      <p>{m.desk_second_always()}</p>
    </VerbDialog>
  )
}

function RoleDialog({ member, name, onClose }: Of<'setRole'>) {
  const action = useAction('desk-staff', name)
  const others = staffRoles.filter((role) => role !== member.role)
  const [role, setRole] = useState(others[0] ?? 'support')
  const { dialog, onSuccess } = dialogOf({ member, name, onClose })
  const isOfTwo = role === 'admin' || member.role === 'admin'
  const second = useSecond({ verb: 'setRole', about: member.id, input: () => ({ role }), onClose })
  const confirm = (reason: string) =>
    isOfTwo
      ? second.ask(reason)
      : action.mutate({ id: member.id, payload: { role }, headers: because(reason) }, { onSuccess })
  return (
    <VerbDialog
      {...dialog}
      {...(isOfTwo && { verb: m.desk_second_ask() })}
      action={isOfTwo ? second : action}
      onConfirm={confirm}
    >
      <NativeSelect
        label={m.desk_column_role()}
        value={role}
        data={others.map((value) => ({ value, label: roleNames[value]() }))}
        onChange={({ currentTarget }) => setRole(others.find((one) => one === currentTarget.value) ?? role)}
      />
      {isOfTwo && <p>{m.desk_second_always()}</p>}
    </VerbDialog>
  )
}

/** The actions that the reader may use on a member of staff now. */
export function MemberVerbs({ member }: { member: Member }) {
  const [open, setOpen] = useState<Name | 'invite'>()
  const close = () => setOpen(undefined)
  // The other verbs have no invited person, whose account does not exist yet.
  const mayInvite = member.invited_until !== null
  const offered = names.filter(
    (name) => member.may[name] && (name !== 'resetFactors' || member.second_factor),
  )
  return (
    <Group gap={6}>
      {mayInvite && (
        <Button variant="default" size="xs" onClick={() => setOpen('invite')}>
          {m.desk_staff_invite_again()}
        </Button>
      )}
      {offered.map((name) => (
        <Button key={name} variant="default" size="xs" onClick={() => setOpen(name)}>
          {words[name].label()}
        </Button>
      ))}
      {open === 'invite' && <Invite member={member} onClose={close} />}
      {open === 'setRole' && <RoleDialog member={member} name={open} onClose={close} />}
      {open === 'resetFactors' && member.role === 'admin' && (
        <AdminFactorsDialog member={member} name={open} onClose={close} />
      )}
      {open &&
        open !== 'invite' &&
        open !== 'setRole' &&
        !(open === 'resetFactors' && member.role === 'admin') && (
          <PlainDialog member={member} name={open} onClose={close} />
        )}
    </Group>
  )
}
