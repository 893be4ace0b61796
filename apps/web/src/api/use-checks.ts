import { type FocusEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkBody } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'
import { type FieldLimits, limitsOf } from '#domain/field-limits.ts'
import { problemSentences } from '#domain/problem-sentences.ts'
import type { ApiError } from './client.ts'
import { changedFields, isTouched, without } from './touched.ts'

/** Where the schema and the rules of a body come from: an endpoint, as the server declares it. */
export type Checked = Pick<Endpoint, 'body' | 'rules' | 'whole'> & {
  /** Loads what no endpoint declares by itself. */
  load?: () => Promise<Pick<Endpoint, 'body' | 'rules'>>
}
export type CheckOptions = {
  /** What the server refused last, also of a preview of what the form would do. */
  refusal?: ApiError | null
  /** The body before a draft was restored: what the draft changed is checked at once. */
  start?: unknown
  /** Sentences by field that the page itself can say of what it has read, such as those of a track. */
  known?: Record<string, string>
  /** Names of fields on screen by names of the body, where they differ. */
  shownAs?: Record<string, string>
}

const declarations = import.meta.glob<Record<string, Endpoint | Record<string, Endpoint>>>(
  [
    '../../../../packages/domain/src/**/{endpoints,*-endpoints}.ts',
    '!../../../../packages/domain/src/accounts/{endpoints,entrance-endpoints,totp-endpoints}.ts',
  ],
  { query: '?whole' },
)

/** The declaration with schemas and rules, which the build leaves out of what calls it. */
async function wholeOf(endpoint: Checked): Promise<Checked | undefined> {
  if (endpoint.load) return endpoint.load()
  if (endpoint.whole === undefined) return endpoint
  const all = await declarations[`../../../../packages/domain/src/${endpoint.whole}endpoints.ts`]!()
  const { method, path } = endpoint as Endpoint
  return Object.values(all)
    .flatMap((one) =>
      typeof one.path === 'string' ? [one as Endpoint] : Object.values(one as Record<string, Endpoint>),
    )
    .find((one) => one.method === method && one.path === path)
}

const nothing: ReadonlySet<string> = new Set()

/** Limits as the controls take them; a number beyond them is refused beside its field, not changed to fit. */
const limitProps = ({ required, min, max, ...limits }: FieldLimits) => ({
  ...limits,
  ...(required && { withAsterisk: true }),
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
  ...((min ?? max) !== undefined && { clampBehavior: 'none' as const }),
})

/**
 * Checks what a form would send with the schema and rules of the endpoint, as the server does, at every change: typed,
 * chosen, set by the program or restored. A sentence stands beside a field once the field was changed or left, or once
 * saving was tried; what the server refused stands there until the field changes.
 */
export function useChecks(
  endpoint: Checked,
  body: unknown,
  { refusal = null, start = body, known, shownAs }: CheckOptions = {},
) {
  const { i18n } = useTranslation('common')
  const form = useRef<HTMLElement>(null)
  const [whole, setWhole] = useState<Checked>()
  const [touched, setTouched] = useState(nothing)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [unsaid, setUnsaid] = useState<string | null>(null)
  const text = JSON.stringify(body)
  const last = useRef(JSON.stringify(start))

  // Schemas and sentences come after the form is there: until then the server alone checks.
  useEffect(() => {
    let gone = false
    const words = i18n.loadNamespaces(['validation', 'errors'])
    Promise.all([wholeOf(endpoint), words])
      .then(([loaded]) => !gone && setWhole(loaded))
      .catch(() => {})
    return () => {
      gone = true
    }
  }, [endpoint, i18n])

  useEffect(() => {
    const changed = changedFields(JSON.parse(last.current), JSON.parse(text))
    last.current = text
    if (changed.length === 0) return
    setTouched((before) => new Set([...before, ...changed]))
    setRefused((before) => without(before, changed))
  }, [text])

  const { language } = i18n
  const knownText = JSON.stringify(known)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are the body and what is known; the language changes the sentences
  const problems = useMemo(() => {
    if (!whole) return {}
    const found = problemSentences(checkBody(whole, body, new Date()), {
      t: (key, params) => String(i18n.t(key as never, params as never)),
      has: (key) => i18n.exists(key),
    })
    const checked = Object.entries(found).map(([field, sentences]) => [field, sentences[0]!])
    return { ...(Object.fromEntries(checked) as Record<string, string>), ...known }
  }, [whole, text, knownText, language])

  const shown = Object.entries(problems).filter(([field]) => tried || isTouched(field, touched))
  const errors: Record<string, string> = { ...refused, ...Object.fromEntries(shown) }
  for (const [field, name] of Object.entries(shownAs ?? {})) if (errors[field]) errors[name] ??= errors[field]

  /** The sentence beside a field; a list says what is wrong with any of its items. */
  const errorOf = (field: string): string | undefined =>
    errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1]
  const bodyName = (onScreen: string) =>
    Object.entries(shownAs ?? {}).find(([, shownName]) => shownName === onScreen)?.[0] ?? onScreen
  const isOnScreen = (field: string) =>
    [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].some(({ dataset }) =>
      isTouched(shownAs?.[field] ?? field, [dataset.field!]),
    )
  const focusFirst = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the answer comes, not at every change
  useEffect(() => {
    setRefused(refusal?.fieldMessages ?? {})
    setUnsaid(refusal?.beyond(isOnScreen) ?? null)
    if (refusal && Object.keys(refusal.errors).length > 0) focusFirst()
  }, [refusal])

  return {
    errors,
    errorOf,
    /** What was refused or lost and stands beside no field, for a notice beside the button. */
    unsaid,
    /** Props of a control: its sentence, the mark by which leaving it is noticed, and the limits its schema has. */
    field: (name: string) => ({
      error: errorOf(name),
      wrapperProps: { 'data-field': name },
      ...(whole?.body && limitProps(limitsOf(whole.body, body, bodyName(name)))),
    }),
    /** Props of the element around all fields. */
    form: {
      ref: form as never,
      onBlur: ({ target, relatedTarget }: FocusEvent) => {
        const left = (target as HTMLElement).closest<HTMLElement>('[data-field]')?.dataset.field
        // A calendar or list that opens takes the focus, and gives it back.
        if (!left || (relatedTarget as HTMLElement | null)?.closest('[data-portal]:not([aria-modal])')) return
        const name = bodyName(left)
        setTouched((before) => (before.has(name) ? before : new Set([...before, name])))
      },
    },
    /** Call before sending: shows every problem, focuses the first wrong field, and returns whether the form may be sent. */
    isReady: () => {
      setTried(true)
      setUnsaid(null)
      // What stands nowhere on the screen is refused by the server, whose sentence stands beside the button.
      const isBlocked = Object.keys(problems).some(isOnScreen)
      if (isBlocked) focusFirst()
      return !isBlocked
    },
    /** Shows what the server refused, or that no answer came. */
    refuse: (error: ApiError) => {
      setRefused(error.fieldMessages)
      setUnsaid(error.beyond(isOnScreen))
      if (Object.keys(error.errors).some(isOnScreen)) focusFirst()
    },
    /** Begins anew, with an empty or another form. */
    reset: (next: unknown) => {
      last.current = JSON.stringify(next)
      setTouched(nothing)
      setTried(false)
      setRefused({})
      setUnsaid(null)
    },
  }
}

export type Checks = ReturnType<typeof useChecks>
/** Props that `checks.field` gives a control. */
export type CheckedField = ReturnType<Checks['field']>
