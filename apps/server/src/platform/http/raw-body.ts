import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Bodies of these routes stay the bytes that came, because a signature covers them: nothing parses them before it is checked. */
export function keepBytes(app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The bytes of such a request; none where it had no body. */
export const bytesOf = ({ body }: Pick<FastifyRequest, 'body'>): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)
