import type { FastifyReply } from 'fastify'

/** Headers of a file that the browser saves under the name and never keeps; `type` is its media type. */
export const asAttachment = (reply: FastifyReply, name: string, type: string) =>
  reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
