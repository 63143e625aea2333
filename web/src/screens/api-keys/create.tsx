import { Button, Group, Input, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { apiKeys } from '@portico/contract/resources/api-keys.ts'
import { type ApiKeyScope, apiKeyScopes } from '@portico/contract/rules/api-key-scopes.ts'
import { dayMs } from '@portico/contract/time.ts'
import { type FormEvent, useId, useState } from 'react'
import * as z from 'zod/mini'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { useCreate } from '../../api/write.ts'
import { MomentField, momentFault } from '../../components/dates/date-field.tsx'
import { today } from '../../components/dates/typed.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../components/form-foot/submit-button.tsx'
import { type SavingForm, useSavingForm } from '../../components/forms/saving-form.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import '../../ui/styles/segmented.ts'
import { withTyped } from '../../components/forms/chips.ts'
import { AddressesField } from './addresses-field.tsx'
import classes from './api-keys.module.css'
import { groups } from './words.ts'

const { name, allowed_ips, scopes } = apiKeys.attributes
const days = { never: null, '30': 30, '90': 90, '365': 365 } as const

const schema = z.object({
  name,
  allowed_ips,
  scopes,
  expires: z.enum(['never', 'moment', '30', '90', '365']),
  /** Only used when the key expires at a moment. */
  expires_at: z.string(),
  project: z.string(),
})

type Values = z.output<typeof schema>

const initial: Values = {
  name: '',
  allowed_ips: [],
  scopes: [],
  expires: '90',
  expires_at: '',
  project: '',
}

const endFault = (moment: string) =>
  momentFault(moment, language()) ?? (Date.parse(moment) <= Date.now() ? m.key_moment_past() : undefined)

/** The expiry of the key; null for never. */
function endOf({ expires, expires_at }: Values): string | null {
  if (expires === 'moment') return expires_at
  const left = days[expires]
  return left === null ? null : new Date(Date.now() + left * dayMs).toISOString()
}

type Choice = (typeof groups)[number]
type GroupProps = { group: Choice; scopes: readonly ApiKeyScope[]; onChange: (scopes: ApiKeyScope[]) => void }

/** The access level for one group of resources. */
function GroupField({ group: { group, name, about, writes }, scopes, onChange }: GroupProps) {
  const id = useId()
  const of = apiKeyScopes.filter((scope) => scope.startsWith(`${group}:`))
  const value = scopes.find((scope) => of.includes(scope)) ?? 'none'
  const label = (scope: ApiKeyScope) => (scope.endsWith(':write') ? m.key_write() : m.key_read())
  return (
    <div className={classes.group}>
      <div>
        <div id={id}>{name()}</div>
        <div className={classes.about}>{about()}</div>
      </div>
      <SegmentedControl
        aria-labelledby={id}
        data={[
          { value: 'none', label: m.key_none() },
          ...of
            .filter((scope) => writes || scope.endsWith(':read'))
            .map((scope) => ({ value: scope, label: label(scope) })),
        ]}
        value={value}
        onChange={(chosen) => {
          const others = scopes.filter((scope) => !of.includes(scope))
          onChange([...others, ...of.filter((scope) => scope === chosen)])
        }}
      />
    </div>
  )
}

type Props = { onCreated: (key: { name: string; secret: string }) => void; onClose: () => void }

/** All fields of a new key. */
function useKeyForm(onCreated: Props['onCreated']) {
  const create = useCreate('api-keys')
  return useSavingForm({
    initial,
    schema,
    alsoCheck: ({ expires, expires_at }) => ({
      ...(expires === 'moment' && { expires_at: endFault(expires_at) }),
    }),
    save: async (values) => {
      const { expires: _, project, ...attributes } = values
      const made = await create.mutateAsync({
        attributes: { ...attributes, expires_at: endOf(values) },
        ...(project !== '' && { relationships: { project: { type: 'projects', id: Number(project) } } }),
      })
      onCreated({ name: made.name, secret: made.secret ?? '' })
    },
  })
}

/** The expiry of the key. */
const Expiry = ({ form: { form, field } }: { form: SavingForm<Values> }) => (
  <>
    <NativeSelect
      label={m.key_expires()}
      data={[
        { value: '30', label: m.key_days({ count: 30 }) },
        { value: '90', label: m.key_days({ count: 90 }) },
        { value: '365', label: m.key_year() },
        { value: 'moment', label: m.key_at_moment() },
        { value: 'never', label: m.key_never() },
      ]}
      {...field('expires')}
    />
    {form.values.expires === 'moment' && (
      <MomentField
        label={m.key_moment()}
        required
        min={today()}
        {...field('expires_at')}
        value={form.values.expires_at}
      />
    )}
  </>
)

/** Creates a key: name, allowed addresses, scopes and expiry. */
export function CreateKey({ onCreated, onClose }: Props) {
  useFocusBack()
  const { all } = useWorkspaces()
  const [typed, setTyped] = useState('')
  const keyForm = useKeyForm(onCreated)
  const { form, field, formProps, refusal, isSaving } = keyForm
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.setFieldValue('allowed_ips', (all) => withTyped(all, typed))
    setTyped('')
    formProps.onSubmit(event)
  }
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={m.key_create()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form {...formProps} onSubmit={submit} className={classes.form ?? ''}>
        <TextInput
          data-autofocus
          autoComplete="off"
          label={m.key_name()}
          placeholder={m.key_name_example()}
          required
          {...field('name')}
        />
        <AddressesField typed={typed} onTyped={setTyped} {...field('allowed_ips')} />
        <fieldset className={classes.scopes}>
          <legend>{m.key_scopes()}</legend>
          {groups.map((group) => (
            <GroupField
              key={group.group}
              group={group}
              scopes={form.values.scopes}
              onChange={(chosen) => form.setFieldValue('scopes', chosen)}
            />
          ))}
          {form.errors.scopes && <Input.Error role="alert">{form.errors.scopes}</Input.Error>}
        </fieldset>
        <div className={classes.pair}>
          <Expiry form={keyForm} />
          <NativeSelect
            label={m.key_workspace()}
            data={[
              { value: '', label: m.key_workspace_all() },
              ...all.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            {...field('project')}
          />
        </div>
        <Refusal>{refusal}</Refusal>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <SubmitButton loading={isSaving}>{m.key_create_verb()}</SubmitButton>
        </Group>
      </form>
    </Modal>
  )
}
