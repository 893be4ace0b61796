import { notifications } from '@mantine/notifications'
import { type FocusEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldLimits, limitsOf } from '#domain/field-limits.ts'
import type { ApiError } from './client.ts'
import { changedFields, isTouched, omitTouched } from './touched.ts'
import { type Checked, useProblems } from './use-problems.ts'

export type CheckOptions = {
  /** Last refusal by the server, also of a preview. */
  refusal?: ApiError | null
  /** Body before a draft was restored; fields the draft changed are checked at once. */
  untouched?: unknown
  /** Sentences by field, from data the page has read, such as a track. */
  known?: Record<string, string>
  /** Field names on screen by their names in the body, if different. */
  shownAs?: Record<string, string>
}

const noFields: ReadonlySet<string> = new Set()
const toastId = 'wrong-fields'
/** A wrong control; in a group of options, which has no `aria-invalid`, the first one that can be chosen. */
const wrongControl = '[aria-invalid="true"], [data-field][data-error] :is(input, button):enabled'

/** Limits as props of the controls. A number outside them is refused beside its field, not clamped. */
const limitProps = ({ required, min, max, ...limits }: FieldLimits) => ({
  ...limits,
  ...(required && { withAsterisk: true }),
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
  ...((min ?? max) !== undefined && { clampBehavior: 'none' as const }),
})

/**
 * Checks a form's body with its endpoint's schema and rules, like the server, after every change by typing, choosing,
 * code or a draft. A field shows its sentence once it was changed or left, or after an attempt to save; a refusal by
 * the server stays until the field changes.
 */
export function useChecks(
  endpoint: Checked,
  body: unknown,
  { refusal = null, untouched = body, known, shownAs }: CheckOptions = {},
) {
  const { t } = useTranslation('common')
  const form = useRef<HTMLElement>(null)
  // A function suits every kind of element; a ref object suits only its own.
  const setForm = useCallback((element: HTMLElement | null) => {
    form.current = element
  }, [])
  const { declaration, problems } = useProblems(endpoint, body, known)
  const [touched, setTouched] = useState(noFields)
  const [hasTried, setHasTried] = useState(false)
  const [refusedFields, setRefusedFields] = useState<Record<string, string>>({})
  const [formError, setFormError] = useState<string | null>(null)
  const bodyText = JSON.stringify(body)
  const hasTriedRef = useRef(false)
  hasTriedRef.current = hasTried
  const lastBodyText = useRef(JSON.stringify(untouched))

  useEffect(() => {
    const changed = changedFields(JSON.parse(lastBodyText.current), JSON.parse(bodyText))
    lastBodyText.current = bodyText
    if (changed.length === 0) return
    setTouched((before) => new Set([...before, ...changed]))
    setRefusedFields((before) => omitTouched(before, changed))
  }, [bodyText])

  const visibleProblems = Object.entries(problems).filter(([field]) => hasTried || isTouched(field, touched))
  const errors: Record<string, string> = { ...refusedFields, ...Object.fromEntries(visibleProblems) }
  for (const [field, name] of Object.entries(shownAs ?? {})) if (errors[field]) errors[name] ??= errors[field]

  /** Sentence of a field; for a list, the first sentence of its items. */
  const errorOf = (field: string): string | undefined =>
    errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1]
  const bodyName = (onScreen: string) =>
    Object.entries(shownAs ?? {}).find(([, shownName]) => shownName === onScreen)?.[0] ?? onScreen
  const isOnScreen = (field: string) =>
    [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].some(({ dataset }) =>
      isTouched(shownAs?.[field] ?? field, [dataset.field!]),
    )
  const focusFirst = () => requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(wrongControl)?.focus())

  // The form was closed or left.
  useEffect(() => () => void (hasTriedRef.current && notifications.hide(toastId)), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the answer comes, not at every change
  useEffect(() => {
    setRefusedFields(refusal?.fieldMessages ?? {})
    setFormError(refusal?.beyond(isOnScreen) ?? null)
    if (refusal && Object.keys(refusal.errors).length > 0) focusFirst()
  }, [refusal])

  return {
    errors,
    errorOf,
    /** Refusal or lost answer that concerns no single field, shown beside the submit button. */
    formError,
    /** Props of a control: its sentence, the attribute `onBlur` reads, and the schema's limits. */
    field: (name: string) => ({
      error: errorOf(name),
      wrapperProps: { 'data-field': name },
      ...(declaration?.body && limitProps(limitsOf(declaration.body, body, bodyName(name)))),
    }),
    /** The element around all fields. */
    element: form,
    /** Props of the element around all fields. */
    form: {
      ref: setForm,
      onBlur: ({ target, relatedTarget }: FocusEvent) => {
        const fieldOnScreen = (target as HTMLElement).closest<HTMLElement>('[data-field]')?.dataset.field
        // A calendar or list takes the focus while open and returns it.
        if (!fieldOnScreen || (relatedTarget as HTMLElement | null)?.closest('[data-portal]:not([aria-modal])')) return
        const name = bodyName(fieldOnScreen)
        setTouched((before) => (before.has(name) ? before : new Set([...before, name])))
      },
    },
    /**
     * Call before sending: shows every problem, focuses the first wrong field, and returns whether the form may be
     * sent.
     */
    isReady: () => {
      setHasTried(true)
      setFormError(null)
      // Problems in fields not on screen are left to the server, whose sentence is shown beside the button.
      const wrongFields = Object.keys(problems).filter(isOnScreen)
      if (wrongFields.length > 0) focusFirst()
      // The others may be outside the visible part of the page.
      if (wrongFields.length > 1) {
        const message = t('errors.wrongFields', { count: wrongFields.length })
        notifications.show({ id: toastId, color: 'red', message })
      } else notifications.hide(toastId)
      return wrongFields.length === 0
    },
    /** Shows a refusal by the server, or that no answer arrived. */
    refuse: (error: ApiError) => {
      setRefusedFields(error.fieldMessages)
      setFormError(error.beyond(isOnScreen))
      if (Object.keys(error.errors).some(isOnScreen)) focusFirst()
    },
    /** Resets the checks for an empty or another form. */
    reset: (next: unknown) => {
      lastBodyText.current = JSON.stringify(next)
      setTouched(noFields)
      setHasTried(false)
      setRefusedFields({})
      setFormError(null)
    },
  }
}

export type Checks = ReturnType<typeof useChecks>
/** Props that `checks.field` returns. */
export type CheckedField = ReturnType<Checks['field']>
