import { hash, verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import { demoPassword } from '#seeds/demo/university.ts'

/** Verifies the same password with the same parameters at full speed. */
const stored = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
const app = Fastify()
app.get<{ Querystring: { seconds: string; connections: string } }>('/', async ({ query }) => {
  const start = performance.now()
  const end = start + Number(query.seconds) * 1000
  let done = 0
  const work = async () => {
    while (performance.now() < end) {
      await verify(stored, demoPassword)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: Number(query.connections) }, work))
  return { perSecond: done / ((performance.now() - start) / 1000) }
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
