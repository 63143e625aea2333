import { TextInput } from '@mantine/core'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { memo, type ReactNode, useDeferredValue } from 'react'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Section, SectionBody } from '../../ui/section.tsx'
import { DateField, dateFault } from '../dates/date-field.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import formClasses from '../forms/form.module.css'
import { type SavingForm, useSavingForm } from '../forms/saving-form.ts'
import { dayIn } from '../table/search-state.ts'
import { choosesNoWorkspace, type Known } from './choices.ts'
import { today, zoneHere } from './expiry.ts'
import { MayList } from './may-list.tsx'
import { PermissionFields } from './permission-fields.tsx'
import classes from './permission-form.module.css'
import type { Values } from './permission-rules.ts'
import { PresetChoice } from './preset-choice.tsx'
import { presetOf, sharesNothing } from './presets.ts'
import { summary } from './summary.ts'

type Form = SavingForm<Values>

type Options = {
  /** The name under which the form keeps unsaved input. */
  name: string
  initial: Values
  save: (values: Values, changed: Partial<Values>) => Promise<unknown>
}

const dayFault = (day: string) =>
  dateFault(day, language()) ?? (day < today() ? m.permission_expiry_past() : undefined)

/** An existing value is refused only when it is chosen again: a past day, or no workspace at all. */
const faultsOf =
  (initial: Values, isNew: boolean) =>
  ({ expires_on: day, permissions }: Values) => ({
    ...(day !== '' && day !== initial.expires_on && { expires_on: dayFault(day) }),
    ...(choosesNoWorkspace(permissions) &&
      (sharesNothing(initial.permissions) || !choosesNoWorkspace(initial.permissions)) && {
        permissions: m.workspace_select(),
      }),
    ...(sharesNothing(permissions) &&
      !choosesNoWorkspace(permissions) &&
      isNew && { permissions: m.preset_missing() }),
  })

/** The form of a permission. */
export function usePermissionForm({ name, initial, save }: Options): Form {
  return useSavingForm<Values>({
    name,
    initial,
    schema: async () => (await import('./permission-rules.ts')).rules,
    alsoCheck: faultsOf(initial, sharesNothing(initial.permissions)),
    save,
  })
}

function Person({ form: { field }, note, locked }: Pick<Props, 'form' | 'note' | 'locked'>) {
  return (
    <Section id="person" title={m.person()}>
      <SectionBody>
        <div className={formClasses.pair}>
          <TextInput
            label={m.first_name()}
            autoComplete="off"
            required={locked !== 'all'}
            disabled={locked === 'all'}
            {...field('first_name')}
          />
          <TextInput
            label={m.last_name()}
            autoComplete="off"
            required={locked !== 'all'}
            disabled={locked === 'all'}
            {...field('last_name')}
          />
        </div>
        <TextInput
          label={m.email()}
          type="email"
          autoComplete="off"
          required={locked === undefined}
          disabled={locked !== undefined}
          description={note}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('invited_email')}
        />
      </SectionBody>
    </Section>
  )
}

function Expiry({ form: { form, field } }: { form: Form }) {
  return (
    <Section id="expiry" title={m.permission_expiry()}>
      <SectionBody>
        <DateField
          min={today()}
          aria-label={m.permission_expiry()}
          description={m.permission_expiry_text({ zone: zoneHere() })}
          inputWrapperOrder={['input', 'description', 'error']}
          {...field('expires_on')}
          value={form.values.expires_on}
        />
      </SectionBody>
    </Section>
  )
}

function Summary({ values, workspaces }: { values: Values; workspaces: readonly Known[] }) {
  const { first_name: name, permissions, expires_on } = values
  const lines = summary(permissions, workspaces)
  return (
    <>
      <h2>{name.trim() === '' ? m.may_title() : m.may_title_of({ name: name.trim() })}</h2>
      <div className={classes.lines} aria-live="polite">
        {lines.length > 0 ? <MayList lines={lines} /> : <p className="quiet">{m.may_nothing()}</p>}
        {lines.length > 0 && (
          <p className="quiet">
            {dayIn(expires_on) && `${m.may_until({ date: dayInWords(expires_on, language()) })}. `}
            {m.may_rest()}
          </p>
        )}
      </div>
    </>
  )
}

type Props = {
  form: Form
  workspaces: readonly Known[]
  verb: string
  /** The fixed fields of the person: the address once the link was sent, all of them once they accepted. */
  locked?: 'email' | 'all'
  note?: string
  /** Actions next to submit. */
  children?: ReactNode
}

/** They are many, so typing a name does not render them: the form merges a change into its present values. */
const Fields = memo(
  PermissionFields,
  (before, now) => before.value === now.value && before.workspaces === now.workspaces,
)

/** The person, their permissions, and a summary of them in words. */
export function PermissionForm(props: Props) {
  const { form, workspaces, verb, locked, children } = props
  const { values, setValues, errors, clearFieldError } = form.form
  const isUnchosen = presetOf(values.permissions) === undefined
  // The fields appear after the choice is painted, because there are many of them.
  const showsFields = useDeferredValue(!isUnchosen)
  const choose = (permissions: Permissions) => {
    clearFieldError('permissions')
    setValues({ permissions })
  }
  return (
    <form {...form.formProps} className={classes.columns}>
      <div className={classes.fields}>
        <Person {...props} />
        <PresetChoice
          value={values.permissions}
          fault={isUnchosen && errors.permissions !== undefined ? m.preset_missing() : undefined}
          onChange={choose}
        />
        {!isUnchosen && showsFields && (
          <Fields value={values.permissions} workspaces={workspaces} onChange={choose} />
        )}
        <Expiry form={form} />
      </div>
      <aside className={`card ${classes.summary}`} aria-label={m.may_title()}>
        <Summary values={values} workspaces={workspaces} />
        <Refusal>
          {form.refusal ??
            (isUnchosen || errors.permissions === undefined ? undefined : m.workspace_select())}
        </Refusal>
        <div className={classes.buttons}>
          <SubmitButton disabled={!form.isUnsaved && locked !== undefined} loading={form.isSaving} fullWidth>
            {verb}
          </SubmitButton>
          {children}
        </div>
      </aside>
    </form>
  )
}
