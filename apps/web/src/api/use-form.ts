import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { Answer, Endpoint, Schema } from '#domain/endpoint.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import type { ApiError } from './client.ts'
import { sendOnce } from './send.ts'
import { type CheckedField, type CheckOptions, type Checks, useChecks } from './use-checks.ts'

type BodyOf<E> = E extends { body: infer S extends Schema } ? z.input<S> : undefined
type QueryOf<E> = E extends { query: infer S extends Schema } ? z.input<S> : undefined
export type ParamsOf<E> = E extends { params: infer S extends Schema } ? z.input<S> : undefined
/** A partly filled body; the endpoint's schema refuses missing fields. */
type Unfinished<B> = B extends object ? { [K in keyof B]?: UnfinishedRows<B[K]> | null | undefined } : B
/** Rows of a list may lack values too. */
type UnfinishedRows<L> = L extends readonly (infer R extends object)[] ? readonly Unfinished<R>[] : L
type Sent<E> = Unfinished<BodyOf<E>>

type Send<E extends Endpoint> = (call: E, args: unknown) => Promise<Answer<E>>

type Options<E extends Endpoint> = CheckOptions &
  (undefined extends ParamsOf<E> ? { params?: ParamsOf<E> } : { params: ParamsOf<E> }) & {
    /** Endpoint the form is sent to; its schema and rules check the form. */
    call: E
    query?: QueryOf<E>
    /** Text of a short notification after success. */
    done?: string | ((answer: Answer<E>, sent: Sent<E>) => string | undefined)
    /** `sent` is the sent body; the user may have kept typing since. */
    onDone?: (answer: Answer<E>, sent: Sent<E>) => unknown
    onRefused?: (error: ApiError) => unknown
  }

/** The form holds its values. Without `body` they are sent as they are. */
type OwnValues<E extends Endpoint, V extends object> = {
  start: V | (() => V)
  /** Goes back to `start` after success, for another row; keeps what was typed while the form was sent. */
  opensAgain?: boolean
} & (V extends Sent<E> ? { body?: (values: V) => Sent<E> } : { body: (values: V) => Sent<E> })

/** The values live elsewhere, such as in a draft on the device; `body` is what is sent now. */
type ValuesElsewhere<E extends Endpoint> = { start?: undefined } & (undefined extends BodyOf<E>
  ? { body?: undefined }
  : { body: Sent<E> })

type Form<E extends Endpoint> = ReturnType<typeof useSending<E>>
/** Values of a form and the props that bind controls to them, for a part that draws fields. */
export type Bindings<V extends object> = ReturnType<typeof bindingsOf<V, CheckedField>> &
  Pick<Checks, 'field' | 'errorOf'> & {
    values: V
    set: (change: Partial<V>) => void
  }
type BoundForm<E extends Endpoint, V extends object> = Omit<Form<E>, 'reset'> &
  Bindings<V> & {
    /** Shows other values, such as those of an empty form, without problems. */
    reset: (next: V) => void
  }

/**
 * State of a form: its body is checked after every change and sent once; refusals appear beside their fields or the
 * button. With `start` the form holds its values, and `form.text('reason')` binds a control with its sentence and
 * limits. After success all queries on screen reload, and the form is busy until then.
 */
export function useForm<const E extends Endpoint, V extends object>(
  options: Options<E> & OwnValues<E, V>,
): BoundForm<E, V>
export function useForm<const E extends Endpoint>(options: Options<E> & ValuesElsewhere<E>): Form<E>
export function useForm<const E extends Endpoint>({
  start,
  opensAgain,
  body,
  ...options
}: Options<E> & { start?: object; opensAgain?: boolean; body?: Sent<E> | ((values: object) => Sent<E>) }) {
  const [values, setValues] = useState(start ?? {})
  const sentValues = useRef(values)
  const toBody = typeof body === 'function' ? body : (of: object) => (start ? (of as Sent<E>) : body)
  const form = useSending<E>(
    {
      ...(options as Options<E>),
      onDone: (answer, sent) => {
        if (opensAgain) {
          const emptied = typeof start === 'function' ? start() : start
          setValues((now) => ({ ...emptied, ...changesSince(sentValues.current, now) }))
          form.reset(toBody(emptied))
        }
        return options.onDone?.(answer, sent)
      },
    },
    toBody(values) as Sent<E>,
  )
  if (!start) return form
  const set = (change: object) => setValues((before) => ({ ...before, ...change }))
  return {
    ...boundTo(form, { values, set }),
    submit: () => {
      sentValues.current = values
      form.submit()
    },
    send: (...sentBody: Parameters<typeof form.send>) => {
      sentValues.current = values
      return form.send(...sentBody)
    },
    reset: (next: object) => {
      setValues(next)
      form.reset(toBody(next))
    },
  }
}

/** A form or its checks with bindings to values that live elsewhere, such as in a draft on the device. */
export const boundTo = <F extends Pick<Checks, 'field'>, V extends object>(
  form: F,
  { values, set }: { values: V; set: (change: Partial<V>) => void },
) => ({ ...form, ...bindingsOf(values, set, form.field), values, set })

type ListsOf<V> = { [K in keyof V]: V[K] extends readonly object[] ? K : never }[keyof V] & string

/** Bindings for each row of a list among the values; the name of a field is that of the body, such as `costs.0.label`. */
export function boundRows<V extends object, K extends ListsOf<V>>(form: Bindings<V>, name: K) {
  const rows = form.values[name] as V[K] & readonly object[]
  return rows.map((row, index) =>
    boundTo(
      { field: (ofRow: string) => form.field(`${name}.${index}.${ofRow}`) },
      {
        values: row as V[K] extends readonly (infer R extends object)[] ? R : never,
        set: (change) => form.set({ [name]: rows.with(index, { ...row, ...change }) } as Partial<V>),
      },
    ),
  )
}

/** Values of `now` that are not those of `before`. */
const changesSince = (before: object, now: object) =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name as keyof typeof before]))

/** Checks a body and sends it. */
function useSending<const E extends Endpoint>(
  { call, params, query, done, onDone, onRefused, ...checkOptions }: Options<E>,
  body: Sent<E>,
) {
  const queries = useQueryClient()
  const checks = useChecks(call, body ?? null, checkOptions)
  // A second click may arrive before the button is drawn as busy.
  const isSubmitted = useRef(false)
  const sending = useMutation<Answer<E>, ApiError, Sent<E>>({
    mutationFn: (sentBody) => (sendOnce as Send<E>)(call, { params, query, body: sentBody }),
    onSuccess: async (answer, sentBody) => {
      const message = typeof done === 'function' ? done(answer, sentBody) : done
      if (message) notifications.show({ color: 'green', message })
      onDone?.(answer, sentBody)
      await queries.invalidateQueries()
    },
    onError: (error) => {
      checks.refuse(error)
      return onRefused?.(error)
    },
    onSettled: () => {
      isSubmitted.current = false
    },
  })
  return {
    ...checks,
    busy: sending.isPending,
    /** Error of the last attempt, refused or unanswered. */
    refusal: sending.error,
    /** Shows missing fields, or sends the form. */
    submit: () => {
      if (isSubmitted.current || sending.isPending || !checks.isReady()) return
      isSubmitted.current = true
      sending.mutate(body)
    },
    /** Sends without checking for missing fields; rejects with the refusal. For buttons without fields. */
    send: (sentBody = body) => sending.mutateAsync(sentBody),
  }
}
