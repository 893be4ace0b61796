import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { cutStalledReader } from './stalled-reader.ts'

type Zip = { name: string; content: Readable }

/**
 * Sends a ZIP as a download; cuts off a reader that takes nothing for `patienceMs`. `name` is without the extension.
 */
export function sendZip(reply: FastifyReply, { name, content }: Zip, patienceMs?: number) {
  cutStalledReader(reply, patienceMs)
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}.zip"`)
    .header('cache-control', 'private, no-store')
    .send(content)
}
