import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { call } from './client.ts'
import { useEndpoint } from './query.ts'
import { sendOnce } from './send.ts'

const show = endpoint({
  method: 'GET',
  path: '/things/:id',
  access: 'public',
  summary: 'A thing',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ size: z.enum(['small', 'large']).optional() }),
  response: z.object({ data: z.object({ name: z.string(), at: z.string() }) }),
})

const change = endpoint({
  method: 'PUT',
  path: '/things/:id',
  access: 'public',
  summary: 'Changes a thing',
  params: z.object({ id: z.string() }),
  body: z.strictObject({ name: z.string(), count: z.number().default(1) }),
  response: z.object({ data: z.number() }),
})

/** Only checked by the compiler, never called. */
export const TypedCalls = async () => {
  const answer = await call(show, { params: { id: '1' }, query: { size: 'small' } })
  const name: string = answer.data.name
  // @ts-expect-error no such field in the answer
  const missing = answer.data.nothing
  // @ts-expect-error the field is a text
  const number: number = answer.data.name
  // @ts-expect-error the parameter is missing
  await call(show)
  // @ts-expect-error the parameter is a text
  await call(show, { params: { id: 1 } })
  // @ts-expect-error no such value in the query
  await call(show, { params: { id: '1' }, query: { size: 'huge' } })
  await sendOnce(change, { params: { id: '1' }, body: { name: 'x' } })
  // @ts-expect-error the body is missing
  await sendOnce(change, { params: { id: '1' } })
  // @ts-expect-error a field of the body is missing
  await sendOnce(change, { params: { id: '1' }, body: { count: 2 } })
  // @ts-expect-error no such field in the body
  await sendOnce(change, { params: { id: '1' }, body: { name: 'x', colour: 'red' } })
  // @ts-expect-error a write is no read
  const read = useEndpoint(change, { params: { id: '1' }, body: { name: 'x' } })
  return [name, missing, number, read]
}

describe('types of calls', () => {
  it('refuse wrong parameters, queries, bodies and answers at compile time', () => {
    expect(TypedCalls).toBeTypeOf('function')
  })
})
