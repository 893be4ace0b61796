import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import type { Answer, Endpoint, Schema } from '#domain/endpoint.ts'
import type { ApiError } from './client.ts'
import { sendOnce } from './send.ts'
import { type CheckOptions, useChecks } from './use-checks.ts'

type BodyOf<E> = E extends { body: infer S extends Schema } ? z.input<S> : undefined
type QueryOf<E> = E extends { query: infer S extends Schema } ? z.input<S> : undefined
export type ParamsOf<E> = E extends { params: infer S extends Schema } ? z.input<S> : undefined
/** A partly filled body; the endpoint's schema refuses missing fields. */
type Unfinished<B> = B extends object ? { [K in keyof B]?: B[K] | null | undefined } : B

type Send<E extends Endpoint> = (call: E, args: unknown) => Promise<Answer<E>>

type Options<E extends Endpoint> = CheckOptions &
  (undefined extends ParamsOf<E> ? { params?: ParamsOf<E> } : { params: ParamsOf<E> }) &
  (undefined extends BodyOf<E> ? { body?: undefined } : { body: Unfinished<BodyOf<E>> }) & {
    /** Endpoint the form is sent to; its schema and rules check the form. */
    call: E
    query?: QueryOf<E>
    /** Text of a short notification after success. */
    done?: string | ((answer: Answer<E>, sent: Unfinished<BodyOf<E>>) => string | undefined)
    /** `sent` is the sent body; the user may have kept typing since. */
    onDone?: (answer: Answer<E>, sent: Unfinished<BodyOf<E>>) => unknown
    onRefused?: (error: ApiError) => unknown
  }

/**
 * State of a form: its body is checked after every change and sent once; refusals appear beside their fields or the
 * button. After success all queries on screen reload, and the form is busy until then.
 */
export function useForm<const E extends Endpoint>({
  call,
  params,
  query,
  body,
  done,
  onDone,
  onRefused,
  ...checkOptions
}: Options<E>) {
  const queries = useQueryClient()
  const checks = useChecks(call, body ?? null, checkOptions)
  // A second click may arrive before the button is drawn as busy.
  const isSubmitted = useRef(false)
  const sending = useMutation<Answer<E>, ApiError, Unfinished<BodyOf<E>>>({
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
      sending.mutate(body as Unfinished<BodyOf<E>>)
    },
    /** Sends without checking for missing fields; rejects with the refusal. For buttons without fields. */
    send: (sentBody = body as Unfinished<BodyOf<E>>) => sending.mutateAsync(sentBody),
  }
}
