import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Keeps the bodies of these routes as bytes, because a signature over the bytes is checked before parsing. */
export function keepBytes(app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser'>) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The bytes of a body; empty if the request had none. */
export const bytesOf = ({ body }: Pick<FastifyRequest, 'body'>): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)
