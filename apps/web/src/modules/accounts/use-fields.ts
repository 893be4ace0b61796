import { type FormEvent, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '#domain/accounts/fields.ts'
import { ApiError } from '#web/api/client.ts'

type Values = Record<string, string | boolean>
/** Keys of `accounts:problem`. */
export type FormProblem = FieldProblem | 'birth_date_invalid'
type Check<V extends Values> = (values: V) => Partial<Record<keyof V & string, FormProblem | null>>

/**
 * A small form: every field is checked when it is left, typed in, chosen or set by the program, and when the form is sent.
 * `start` is the form before a draft was restored: what the draft changed is checked at once. Sentences from the server
 * stand beside their field until it is changed.
 */
export function useFields<V extends Values>(initial: V, check: Check<V>, start: V = initial) {
  const { t } = useTranslation('accounts')
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(
    () => new Set(Object.keys(initial).filter((name) => initial[name] !== start[name])),
  )
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const problems = check(values)

  const set = useCallback((name: keyof V & string, value: string | boolean) => {
    setValues((before) => ({ ...before, [name]: value }))
    setRefused(({ [name]: _, ...others }) => others)
    setRefusal(null)
    setTouched((before) => (before.has(name) ? before : new Set([...before, name])))
  }, [])

  const errorOf = (name: keyof V & string): string | undefined => {
    const problem = touched.has(name) ? problems[name] : undefined
    return refused[name] ?? (problem ? t(`problem.${problem as 'field_required'}`) : undefined)
  }

  const leave = (name: string) => setTouched((before) => (before.has(name) ? before : new Set([...before, name])))

  /** Props of a text field. */
  const text = (name: keyof V & string) => ({
    name,
    value: values[name] as string,
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    onBlur: () => leave(name),
    error: errorOf(name),
  })

  /** Props of a checkbox. */
  const box = (name: keyof V & string) => ({
    name,
    checked: values[name] as boolean,
    onChange: (event: { currentTarget: { checked: boolean } }) => set(name, event.currentTarget.checked),
    onBlur: () => leave(name),
    error: errorOf(name),
  })

  const focusFirstError = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  const submit = (send: (values: V) => Promise<void>) => async (event: FormEvent) => {
    event.preventDefault()
    // A second press before the first is answered sends nothing.
    if (running.current) return
    setTouched(new Set(Object.keys(values)))
    if (Object.values(problems).some(Boolean)) return focusFirstError()
    running.current = true
    setBusy(true)
    setRefusal(null)
    try {
      await send(values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefused(error.fieldMessages)
      setRefusal(error)
      focusFirstError()
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  const reset = () => {
    setValues(initial)
    setTouched(new Set())
    setRefused({})
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
    /** What was refused or lost and belongs to no field. */
    unsaid: refusal?.beyond((name) => name in values),
  }
}
