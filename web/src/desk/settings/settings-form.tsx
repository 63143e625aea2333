import { Button, TextInput } from '@mantine/core'
import type { SettingGroup } from '@portico/contract/resources/operator-settings.ts'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { useAction } from '../../api/write.ts'
import { type SavingForm, useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import { reasonRule } from '../verbs/form-rules.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { MailServerFields } from './mail-server-fields.tsx'
import { type Setting, words } from './words.ts'

const rules = z.catchall(z.object({ reason: reasonRule }), z.string())
type Values = z.output<typeof rules>

const fieldOf = ({ key }: Setting): string => key.toLowerCase()

/** The form of settings: what is secret is never shown, so its field is empty. */
const valuesOf = (settings: readonly Setting[]): Values => ({
  reason: settings.some(({ source }) => source === 'desk') ? '' : m.desk_verb_reason_first(),
  ...Object.fromEntries(settings.map((one) => [fieldOf(one), one.is_secret ? '' : (one.value ?? '')])),
})

function Field({ setting, form }: { setting: Setting; form: SavingForm<Values> }) {
  const { key, is_secret, source } = setting
  const field = form.field(fieldOf(setting))
  const { label, hint } = words[key]
  const ofServer = source === 'server'
  if (key === 'SMTP_URL' && !ofServer)
    return (
      <MailServerFields
        value={field.value}
        error={field.error}
        isKept={source === 'desk'}
        onChange={(value) => form.form.setFieldValue(fieldOf(setting), value)}
      />
    )
  const description = ofServer
    ? m.desk_settings_server({ name: key })
    : [hint(), ...(is_secret && source === 'desk' ? [m.desk_settings_kept()] : [])].join(' · ')
  return (
    <TextInput
      label={label()}
      description={description}
      disabled={ofServer}
      autoComplete="off"
      spellCheck={false}
      {...(is_secret && { type: 'password', autoComplete: 'new-password' })}
      {...(is_secret && source !== 'none' && { placeholder: '••••••••' })}
      {...field}
    />
  )
}

/** Asks for the reason, and removes what was entered for a group. */
function Clear({ group, onClose }: { group: SettingGroup; onClose: () => void }) {
  const action = useAction('operator-settings', 'clear')
  const done = () => {
    onClose()
    toast(m.desk_settings_cleared())
  }
  return (
    <VerbDialog
      title={m.desk_settings_clear_title()}
      text={m.desk_settings_clear_text()}
      verb={m.desk_settings_clear()}
      danger
      action={action}
      onConfirm={(reason) =>
        action.mutate({ payload: { group }, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

type Props = {
  group: SettingGroup
  title: string
  lead: string
  settings: readonly Setting[]
  children?: ReactNode
}

/** The settings of a group, which administrators enter where the server does not set them. */
export function SettingsForm({ group, title, lead, settings, children }: Props) {
  const action = useAction('operator-settings', 'save')
  const [clears, setClears] = useState(false)
  const initial = valuesOf(settings)
  const form = useSavingForm<Values>({
    name: `desk-settings-${group}`,
    initial,
    schema: rules,
    save: async ({ reason }, { reason: _, ...changed }) => {
      await action.mutateAsync({ payload: changed, headers: because(reason) })
      toast(m.desk_settings_saved())
    },
  })
  useShownAsSaved(form, initial, settings.map(({ updatedAt }) => updatedAt).join())
  return (
    <form {...form.formProps}>
      <Section
        id={group}
        title={title}
        lead={lead}
        aside={
          settings.some(({ source }) => source === 'desk') && (
            <Button variant="default" size="xs" onClick={() => setClears(true)}>
              {m.desk_settings_clear()}
            </Button>
          )
        }
      >
        <SectionBody>
          {settings.map((setting) => (
            <Field key={setting.key} setting={setting} form={form} />
          ))}
          {children}
        </SectionBody>
        <ReasonFoot form={form} />
      </Section>
      {clears && <Clear group={group} onClose={() => setClears(false)} />}
    </form>
  )
}
