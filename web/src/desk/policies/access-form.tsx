import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { Loaded } from '../../components/loaded.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from '../company/company.module.css'
import { reasonRule } from '../verbs/form-rules.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because } from '../verbs/verb-dialog.tsx'

const rules = z.object({ views: z.enum(['nobody', 'admins']), reason: reasonRule })

type Values = z.output<typeof rules>

function Form({ policy }: { policy: Row<'access-policies'> }) {
  const action = useAction('access-policies', 'editAccess')
  const initial: Values = { views: policy.views_without_consent ? 'admins' : 'nobody', reason: '' }
  const form = useSavingForm<Values>({
    name: 'desk-access-policy',
    initial,
    schema: rules,
    save: async ({ views, reason }) => {
      const payload = { views_without_consent: views === 'admins' }
      await action.mutateAsync({ id: policy.id, payload, headers: because(reason) })
      toast(m.desk_policies_access_saved())
    },
  })
  useShownAsSaved(form, initial, policy.updatedAt)
  return (
    <form className={classes.page} {...form.formProps}>
      <Section id="access" title={m.desk_policies_access()}>
        <SectionBody>
          <NativeSelect
            label={m.desk_policies_views()}
            description={m.desk_policies_views_hint()}
            data={[
              { value: 'nobody', label: m.desk_policies_views_nobody() },
              { value: 'admins', label: m.desk_policies_views_admins() },
            ]}
            {...form.field('views')}
          />
        </SectionBody>
        <ReasonFoot form={form} />
      </Section>
    </form>
  )
}

/** The rules of staff's access to accounts, for administrators alone. */
export function AccessForm() {
  const policies = useQuery(list('access-policies'))
  return (
    <Loaded query={policies} rows={2}>
      {({ items }) => items.map((policy) => <Form key={policy.id} policy={policy} />)}
    </Loaded>
  )
}
