import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { refuseUnderPressure } from './refuse-under-pressure.ts'

let app: FastifyInstance
beforeEach(() => {
  app = fastify()
})
afterEach(() => app.close())

const statusOf = async (url: string) => (await app.inject(url)).statusCode

function serve(limitMs: number) {
  refuseUnderPressure(app, limitMs)
  app.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 500).send())
  for (const url of ['/api/rows', '/page']) app.get(url, async () => 'here')
}

function block(ms: number) {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

it('refuses calls, but no pages, after a second in which the process was busy, and takes them again', async () => {
  serve(200)
  expect(await statusOf('/api/rows')).toBe(200)
  block(1_000)
  await expect.poll(() => statusOf('/api/rows'), { interval: 10 }).toBe(503)
  expect(await statusOf('/page')).toBe(200)
  await expect.poll(() => statusOf('/api/rows'), { timeout: 10_000, interval: 300 }).toBe(200)
})

it('refuses nothing with a limit of 0', async () => {
  serve(0)
  await statusOf('/api/rows')
  block(1_100)
  expect(await statusOf('/api/rows')).toBe(200)
})
