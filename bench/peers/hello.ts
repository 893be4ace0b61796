import Fastify from 'fastify'

/** A minimal Fastify server. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
