import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { asFailure, type Failure } from '../../api/failure.ts'
import { fieldFault } from '../../api/field-fault.ts'
import { inWords } from '../../api/refusal-words.ts'
import { draftOf, dropDraft, keepDraft, useIsUnsaved } from '../../stores/form-drafts.ts'
import { chunk } from '../../ui/loading/chunk.ts'
import { afterPress } from '../../ui/loading/press.ts'

type Values = Record<string, unknown>
type Schema<V> = z.ZodMiniType<V, V>
type Rules<V> = Schema<V> | (() => Promise<Schema<V>>)
type Options<V extends Values> = {
  /** The name of the form; unsaved input is kept under it. Without a name nothing is kept. */
  name?: string
  initial: V
  /**
   * The contract's rules, field by field; their output is saved. A function loads them on first focus, for
   * pages that would be heavy with them.
   */
  schema: Rules<V>
  /** Whether values have parts with inputs of their own, at which faults are shown: `fees.0.monthly`. */
  nested?: boolean
  /** Faults that concern several fields. */
  alsoCheck?: (values: V) => FormErrors
  /**
   * Saves the form; `changed` are the fields that differ from the initial ones. Errors that it throws are
   * shown at their fields.
   */
  save: (values: V, changed: Partial<V>) => Promise<unknown>
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function changes<V extends Values>(values: V, initial: V): Partial<V> {
  const changed = Object.entries(values).filter(([field, value]) => !same(value, initial[field]))
  // The fields come from `values`, so they are keys of V.
  return Object.fromEntries(changed) as Partial<V>
}

/** The path of the input in which a value is typed, from the path of the value; undefined for one without an input. */
function inputAt(values: unknown, path: readonly PropertyKey[]): string | undefined {
  let [value, length] = [values, 0]
  for (const step of path) {
    if (typeof value !== 'object' || value === null) break
    value = Reflect.get(value, step)
    length += 1
  }
  return typeof value === 'object' || value === undefined ? undefined : path.slice(0, length).join('.')
}

function faultsOf<V extends Values>(schema: Schema<V>, values: V, nested: boolean): FormErrors {
  const checked = schema.safeParse(values)
  const faults = checked.success ? [] : checked.error.issues
  // Only the first fault of a field is shown, so later ones are overwritten.
  return Object.fromEntries(
    faults
      .toReversed()
      .map(({ path, message }) => [
        (nested ? inputAt(values, path) : undefined) ?? String(path[0]),
        fieldFault(message),
      ]),
  )
}

/** The server's refusals, by input. */
function refusedInputs({ errors }: Failure, values: Values): FormErrors {
  const refused = errors.flatMap(({ source, detail }) => {
    const path = source?.pointer?.replace(/^\/data\/(attributes\/)?/, '').split('/')
    const input = path && inputAt(values, path)
    return input === undefined || detail === undefined ? [] : [[input, detail] as const]
  })
  return Object.fromEntries(refused.toReversed())
}

/** The server's refusals, by field. */
function refusedFields(failure: Failure, values: Values): FormErrors {
  const refused = Object.keys(values).flatMap((field) => {
    const fault = failure.about(field)
    return fault === undefined ? [] : [[field, fault] as const]
  })
  return Object.fromEntries(refused)
}

function focusFault(form: HTMLFormElement | null): void {
  // A field of several parts marks the element around them too.
  const field = form?.querySelector<HTMLElement>(':is(input, select, textarea)[aria-invalid="true"]')
  field?.focus({ preventScroll: true })
  // By default a browser would leave it below sticky elements.
  field?.scrollIntoView({ block: 'nearest' })
}

/** A ref of the form, and a function that focuses the first faulty field once its faults are rendered. */
function useFirstFault(): [RefObject<HTMLFormElement | null>, () => void] {
  const form = useRef<HTMLFormElement>(null)
  const [faulted, setFaulted] = useState(0)
  useEffect(() => {
    if (faulted > 0) focusFault(form.current)
  }, [faulted])
  return [form, () => setFaulted((times) => times + 1)]
}

/** If the rules fail to load, the server checks by the same ones. */
const arrived = <V>(load: () => Promise<Schema<V>>) => chunk(load).catch(() => undefined)

type Check<V> = { readonly schema: Rules<V>; readonly nested: boolean; readonly also: FormErrors | undefined }

function checkedBy<V extends Values>(values: V, { schema, nested, also }: Check<V>) {
  if (typeof schema !== 'function') return { ...also, ...faultsOf(schema, values, nested) }
  return arrived(schema).then((rules) => ({ ...also, ...(rules && faultsOf(rules, values, nested)) }))
}

/** The props of the inputs, each validated on blur. */
function checkedOnLeaving<V extends Values>(
  form: UseFormReturnType<V>,
): UseFormReturnType<V>['getInputProps'] {
  return (path, options) => {
    const props = form.getInputProps(path, options)
    const onBlur = (...event: unknown[]) => {
      props.onBlur?.(...event)
      // A fault message takes space and would move the control that is being pressed.
      afterPress(() => void form.validateField(path))
    }
    return { ...props, onBlur }
  }
}

/**
 * A form that saves. The contract's rules validate it on blur and on submit, refusals appear below their
 * fields, and the first one gets the focus; input is kept on every failure. Spread `formProps` on the form,
 * `field(name)` on its inputs.
 */
export function useSavingForm<V extends Values>({
  name,
  initial,
  schema,
  nested = false,
  alsoCheck,
  save,
}: Options<V>) {
  const [ref, focusFirstFault] = useFirstFault()
  const [refusal, setRefusal] = useState<string>()
  const isUnsaved = useIsUnsaved(name ?? '')
  // Only this form writes under its name, so a draft has its fields.
  const draft = (name === undefined ? undefined : draftOf(name)) as V | undefined
  const form = useForm<V>({
    initialValues: draft ?? initial,
    validate: (values) => checkedBy(values, { schema, nested, also: alsoCheck?.(values) }),
    onValuesChange: (values) => {
      if (name === undefined) return
      if (same(values, initial)) dropDraft(name)
      else keepDraft(name, values)
    },
  })
  const refuse = (failure: Failure) => {
    const faults = (nested ? refusedInputs : refusedFields)(failure, form.getValues())
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
    /** Resets the form to the saved values. */
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
