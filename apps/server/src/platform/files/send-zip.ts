import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends a ZIP as a download; `name` is without the extension. */
export const sendZip = (reply: FastifyReply, { name, content }: { name: string; content: Readable }) =>
  reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}.zip"`)
    .header('cache-control', 'private, no-store')
    .send(content)
