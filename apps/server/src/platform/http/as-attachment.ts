import type { FastifyReply } from 'fastify'

/** Headers for an uncached download with this file name; `type` is its media type. */
export const asAttachment = (reply: FastifyReply, name: string, type: string) =>
  reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
