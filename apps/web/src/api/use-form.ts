import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Answer, Endpoint } from '#domain/endpoint.ts'
import type { ApiError } from './client.ts'
import { sendOnce } from './send.ts'
import { type CheckOptions, useChecks } from './use-checks.ts'

type BodyOf<E> = E extends { body: infer S extends z.ZodType } ? z.input<S> : undefined
type QueryOf<E> = E extends { query: infer S extends z.ZodType } ? z.input<S> : undefined
type ParamsOf<E> = E extends { params: infer S extends z.ZodType } ? z.input<S> : undefined
/** A body while it is filled in; the schema of the call refuses what is still missing. */
type Unfinished<B> = B extends object ? { [K in keyof B]?: B[K] | null | undefined } : B

type Send<E extends Endpoint> = (call: E, args: unknown) => Promise<Answer<E>>

type Options<E extends Endpoint> = CheckOptions &
  (undefined extends ParamsOf<E> ? { params?: ParamsOf<E> } : { params: ParamsOf<E> }) &
  (undefined extends BodyOf<E> ? { body?: undefined } : { body: Unfinished<BodyOf<E>> }) & {
    /** What the form sends, and whose schema and rules check it. */
    call: E
    query?: QueryOf<E>
    /** Said in a short message once it is carried out. */
    done?: string | ((answer: Answer<E>, sent: Unfinished<BodyOf<E>>) => string | undefined)
    /** `sent` is the body of the call: what was typed since then is another one. */
    onDone?: (answer: Answer<E>, sent: Unfinished<BodyOf<E>>) => unknown
    onRefused?: (error: ApiError) => unknown
  }

/**
 * A form: what it would send is checked at every change, sent once, and what is refused stands beside its fields or
 * else beside the button. Afterwards every query on the screen is asked anew, and the form is busy until they answered.
 */
export function useForm<const E extends Endpoint>({
  call,
  params,
  query,
  body,
  done,
  onDone,
  onRefused,
  ...how
}: Options<E>) {
  const queries = useQueryClient()
  const checks = useChecks(call, body ?? null, how)
  const sending = useMutation<Answer<E>, ApiError, Unfinished<BodyOf<E>>>({
    mutationFn: (sent) => (sendOnce as Send<E>)(call, { params, query, body: sent }),
    onSuccess: async (answer, sent) => {
      const message = typeof done === 'function' ? done(answer, sent) : done
      if (message) notifications.show({ color: 'green', message })
      onDone?.(answer, sent)
      await queries.invalidateQueries()
    },
    onError: (error) => {
      checks.refuse(error)
      return onRefused?.(error)
    },
  })
  return {
    ...checks,
    busy: sending.isPending,
    /** What the last try was refused with, or that it got no answer. */
    refusal: sending.error,
    /** Says what is missing, or sends. */
    submit: () => {
      if (!sending.isPending && checks.isReady()) sending.mutate(body as Unfinished<BodyOf<E>>)
    },
    /** Sends at once, without looking for what is missing; rejects with what was refused. For buttons that ask nothing. */
    send: (other = body as Unfinished<BodyOf<E>>) => sending.mutateAsync(other),
  }
}
