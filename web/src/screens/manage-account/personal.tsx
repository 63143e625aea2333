import { TextInput } from '@mantine/core'
import { useUser } from '../../api/queries/user.ts'
import { useUpdate } from '../../api/write.ts'
import { FormFoot } from '../../components/form-foot/form-foot.tsx'
import { orNull } from '../../components/forms/blank.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from './manage-account.module.css'

/** The person's name and phone number. */
export function Personal() {
  const user = useUser()
  const update = useUpdate('clients')
  const form = useSavingForm({
    name: 'personal',
    initial: {
      first_name: user.first_name,
      last_name: user.last_name,
      company_url: user.company_url ?? '',
    },
    schema: async () => (await import('./rules.ts')).personal,
    save: async (_, { company_url, ...names }) => {
      const attributes = { ...names, ...(company_url !== undefined && { company_url: orNull(company_url) }) }
      await update.mutateAsync({ id: user.id, attributes })
      toast(m.personal_saved())
    },
  })
  return (
    <Section id="personal" title={m.account_personal()} lead={m.personal_lead()}>
      <form {...form.formProps}>
        <SectionBody>
          <div className={classes.pair}>
            <TextInput
              label={m.first_name()}
              autoComplete="given-name"
              required
              {...form.field('first_name')}
            />
            <TextInput
              label={m.last_name()}
              autoComplete="family-name"
              required
              {...form.field('last_name')}
            />
          </div>
          <TextInput
            label={m.company_url()}
            type="url"
            autoComplete="url"
            placeholder="https://"
            {...form.field('company_url')}
          />
        </SectionBody>
        <FormFoot form={form} />
      </form>
    </Section>
  )
}
