import { Button, Group, TextInput } from '@mantine/core'
import { apiKeys } from '@portico/contract/resources/api-keys.ts'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { useUpdate } from '../../api/write.ts'
import { Refusal } from '../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../components/form-foot/submit-button.tsx'
import { withTyped } from '../../components/forms/chips.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { AddressesField } from './addresses-field.tsx'
import classes from './api-keys.module.css'
import type { ApiKey } from './words.ts'

const { name, allowed_ips } = apiKeys.attributes
const schema = z.object({ name, allowed_ips })

/** Changes the name and allowed addresses of a key; its scopes are fixed at creation. */
export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  useFocusBack()
  const update = useUpdate('api-keys')
  const [typed, setTyped] = useState('')
  const { form, field, formProps, refusal, isSaving } = useSavingForm({
    initial: { name: apiKey.name, allowed_ips: apiKey.allowed_ips },
    schema,
    save: async (attributes) => {
      await update.mutateAsync({ id: apiKey.id, attributes })
      toast(m.key_saved({ name: attributes.name }))
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.setFieldValue('allowed_ips', (all) => withTyped(all, typed))
    setTyped('')
    formProps.onSubmit(event)
  }
  return (
    <Modal opened onClose={onClose} title={m.key_edit()} closeButtonProps={{ 'aria-label': m.close() }}>
      <form {...formProps} onSubmit={submit} className={classes.form ?? ''}>
        <TextInput data-autofocus autoComplete="off" label={m.key_name()} required {...field('name')} />
        <AddressesField typed={typed} onTyped={setTyped} {...field('allowed_ips')} />
        <Refusal>{refusal}</Refusal>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <SubmitButton loading={isSaving}>{m.save()}</SubmitButton>
        </Group>
      </form>
    </Modal>
  )
}
