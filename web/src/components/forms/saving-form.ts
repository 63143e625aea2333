import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { asFailure, type Failure } from '../../api/failure.ts'
import { fieldFault } from '../../api/field-fault.ts'
import { inWords } from '../../api/refusal-words.ts'
import { draftOf, dropDraft, keepDraft, useIsUnsaved } from '../../stores/unsaved.ts'
import { chunk } from '../../ui/chunk.ts'
import { afterPress } from '../../ui/press.ts'

type Values = Record<string, unknown>
type Schema<V> = z.ZodMiniType<V, V>
type Rules<V> = Schema<V> | (() => Promise<Schema<V>>)
type Options<V extends Values> = {
  /** Names it among the forms of the portal; what is typed is kept under it until it is saved. Without one, nothing is. */
  name?: string
  initial: V
  /**
   * The contract's rules, field by field; what comes through them is what is saved. A function loads them when the form is
   * first focused, for pages that are heavy without them.
   */
  schema: Rules<V>
  /** What no rule of a single field can say. */
  alsoCheck?: (values: V) => FormErrors
  /** Saves; `changed` are the fields that differ from what was there. Whatever it throws is shown where it belongs. */
  save: (values: V, changed: Partial<V>) => Promise<unknown>
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function changes<V extends Values>(values: V, initial: V): Partial<V> {
  const changed = Object.entries(values).filter(([field, value]) => !same(value, initial[field]))
  // The fields are those of `values`, so they are some of V's.
  return Object.fromEntries(changed) as Partial<V>
}

function faultsOf<V extends Values>(schema: Schema<V>, values: V): FormErrors {
  const checked = schema.safeParse(values)
  const faults = checked.success ? [] : checked.error.issues
  // The first fault of a field counts, so the last is written first.
  return Object.fromEntries(
    faults.toReversed().map(({ path, message }) => [String(path[0]), fieldFault(message)]),
  )
}

/** What the server refused, by field. */
function refusedFields(failure: Failure, values: Values): FormErrors {
  const refused = Object.keys(values).flatMap((field) => {
    const fault = failure.about(field)
    return fault === undefined ? [] : [[field, fault] as const]
  })
  return Object.fromEntries(refused)
}

function focusFault(form: HTMLFormElement | null): void {
  // A field that is made of several parts marks the part around them too.
  const field = form?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')
  field?.focus({ preventScroll: true })
  // By itself a browser would leave it beneath what stays on top.
  field?.scrollIntoView({ block: 'nearest' })
}

/** A form, and what puts the cursor where one must go on, once the faults that were set before are rendered. */
function useFirstFault(): [RefObject<HTMLFormElement | null>, () => void] {
  const form = useRef<HTMLFormElement>(null)
  const [faulted, setFaulted] = useState(0)
  useEffect(() => {
    if (faulted > 0) focusFault(form.current)
  }, [faulted])
  return [form, () => setFaulted((times) => times + 1)]
}

/** Rules that did not arrive are left to the server, which checks by the same ones. */
const arrived = <V>(load: () => Promise<Schema<V>>) => chunk(load).catch(() => undefined)

function checkedBy<V extends Values>(schema: Rules<V>, values: V, also: FormErrors | undefined) {
  if (typeof schema !== 'function') return { ...also, ...faultsOf(schema, values) }
  return arrived(schema).then((rules) => ({ ...also, ...(rules && faultsOf(rules, values)) }))
}

/** The inputs of a form, each checked when one leaves it. */
function checkedOnLeaving<V extends Values>(
  form: UseFormReturnType<V>,
): UseFormReturnType<V>['getInputProps'] {
  return (path, options) => {
    const props = form.getInputProps(path, options)
    const onBlur = (...event: unknown[]) => {
      props.onBlur?.(...event)
      // A fault makes room for itself, and what one was about to press would move away.
      afterPress(() => void form.validateField(path))
    }
    return { ...props, onBlur }
  }
}

/**
 * A form that saves: checked by the contract's rules on leaving a field and on submit, refusals under their fields, the
 * first one focused; what was typed stays, whatever comes. Spread `formProps` on the form, `field(name)` on its inputs.
 */
export function useSavingForm<V extends Values>({ name, initial, schema, alsoCheck, save }: Options<V>) {
  const [ref, focusFirstFault] = useFirstFault()
  const [refusal, setRefusal] = useState<string>()
  const isUnsaved = useIsUnsaved(name ?? '')
  // Only this very form writes under its name, so a draft has its fields.
  const draft = (name === undefined ? undefined : draftOf(name)) as V | undefined
  const form = useForm<V>({
    initialValues: draft ?? initial,
    validate: (values) => checkedBy(schema, values, alsoCheck?.(values)),
    onValuesChange: (values) => {
      if (name === undefined) return
      if (same(values, initial)) dropDraft(name)
      else keepDraft(name, values)
    },
  })
  const refuse = (failure: Failure) => {
    const faults = refusedFields(failure, form.getValues())
    form.setErrors(faults)
    setRefusal(Object.keys(faults).length === 0 ? inWords(failure) : undefined)
    focusFirstFault()
  }
  const submit = async (values: V) => {
    setRefusal(undefined)
    const rules = typeof schema === 'function' ? await arrived(schema) : schema
    const checked = rules?.safeParse(values).data ?? values
    try {
      await save(checked, changes(checked, initial))
      if (name !== undefined) dropDraft(name)
    } catch (error) {
      refuse(asFailure(error))
    }
  }
  return {
    form,
    field: checkedOnLeaving(form),
    isUnsaved,
    isSaving: form.submitting,
    refusal,
    /** Back to what was there. */
    discard: () => {
      form.setValues(initial)
      setRefusal(undefined)
    },
    formProps: {
      ref,
      noValidate: true,
      onFocus: () => void (typeof schema === 'function' && arrived(schema)),
      onSubmit: form.onSubmit(submit, focusFirstFault),
    },
  }
}

export type SavingForm<V extends Values> = ReturnType<typeof useSavingForm<V>>
