import type { FastifyReply } from 'fastify'

/** Sends a PDF as an uncached download; characters that a file system may refuse become hyphens. */
export const sendPdf = (reply: FastifyReply, name: string, bytes: Uint8Array) =>
  reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '-')}.pdf"`)
    .header('cache-control', 'private, no-store')
    .send(bytes)
