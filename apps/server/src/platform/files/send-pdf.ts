import type { FastifyReply } from 'fastify'

/** Sends a PDF to be kept under a name (signs a file system may not like become hyphens), to be cached by nobody. */
export const sendPdf = (reply: FastifyReply, name: string, bytes: Uint8Array) =>
  reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '-')}.pdf"`)
    .header('cache-control', 'private, no-store')
    .send(bytes)
