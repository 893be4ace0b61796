import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '#domain/accounts/fields.ts'
import { ApiError } from '#web/api/client.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'

type Values = Record<string, string | boolean>
/** Keys of `accounts:problem`. */
export type FormProblem = FieldProblem | 'birth_date_invalid'
type Check<V extends Values> = (values: V) => Partial<Record<keyof V & string, FormProblem | null>>

/**
 * A small form. A field is checked once it was left, typed in, chosen or set by code; all fields are checked when the
 * form is sent. `start` is the form before a draft was restored: fields the draft changed are checked at once. Server
 * errors stay beside their field until it changes.
 */
export function useFields<V extends Values>(initial: V, check: Check<V>, start: V = initial) {
  const { t } = useTranslation('accounts')
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(
    () => new Set(Object.keys(initial).filter((name) => initial[name] !== start[name])),
  )
  const [refusals, setRefusals] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const isSending = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const problems = check(values)

  const markTouched = (...names: string[]) =>
    setTouched((previous) => (names.every((name) => previous.has(name)) ? previous : new Set([...previous, ...names])))

  const set = (change: Partial<V>) => {
    setValues((previous) => ({ ...previous, ...change }))
    setRefusals((previous) => Object.fromEntries(Object.entries(previous).filter(([name]) => !(name in change))))
    setRefusal(null)
    markTouched(...Object.keys(change))
  }

  const errorOf = (name: string): string | undefined => {
    const problem = touched.has(name) ? problems[name] : undefined
    return refusals[name] ?? (problem ? t(`problem.${problem as 'field_required'}`) : undefined)
  }

  const { text, box } = bindingsOf(values, set, (name) => ({
    name,
    onBlur: () => markTouched(name),
    error: errorOf(name),
  }))

  const focusFirstError = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const submit = (send: (values: V) => Promise<void>) => async (event: FormEvent) => {
    event.preventDefault()
    // Ignores a second press before the first request is answered.
    if (isSending.current) return
    setTouched(new Set(Object.keys(values)))
    if (Object.values(problems).some(Boolean)) return focusFirstError()
    isSending.current = true
    setBusy(true)
    setRefusal(null)
    try {
      await send(values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusals(error.fieldMessages)
      setRefusal(error)
      focusFirstError()
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  const reset = () => {
    setValues(initial)
    setTouched(new Set())
    setRefusals({})
    setRefusal(null)
  }

  return {
    values,
    set,
    text,
    box,
    submit,
    reset,
    busy,
    form,
    problems,
    refusal,
    /** Server or network errors that concern no single field. */
    formError: refusal?.beyond((name) => name in values),
  }
}
