import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { type App, serve } from './serve.ts'

const change = endpoint({
  method: 'PUT',
  path: '/things/:id',
  access: 'public',
  summary: 'Changes a thing',
  params: z.object({ id: z.string() }),
  body: z.strictObject({ name: z.string() }),
  response: z.object({ data: z.object({ name: z.string() }) }),
})

/** Only checked by the compiler, never served. */
export const typedRoutes = (app: App) => {
  serve(app, change, ({ params, body }) => ({ data: { name: `${params.id} ${body.name}` } }))
  // @ts-expect-error no such parameter
  serve(app, change, ({ params }) => ({ data: { name: params.nothing } }))
  // @ts-expect-error no such field in the body
  serve(app, change, ({ body }) => ({ data: { name: body.nothing } }))
  // @ts-expect-error the answer lacks a field
  serve(app, change, () => ({ data: {} }))
  // @ts-expect-error a field of the answer is no text
  serve(app, change, () => ({ data: { name: 1 } }))
}

describe('types of routes', () => {
  it('refuse wrong parameters, bodies and answers at compile time', () => {
    expect(typedRoutes).toBeTypeOf('function')
  })
})
