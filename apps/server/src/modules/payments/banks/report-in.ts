import type { FastifyRequest } from 'fastify'
import type { RawReport } from '#server/modules/payments/providers/provider.ts'
import { addressOf, networkOf } from '#server/platform/http/address.ts'
import { bytesOf } from '#server/platform/http/raw-body.ts'

/** A request as its sender made it: path with query, and raw bytes. */
export const reportIn = (request: FastifyRequest): RawReport => ({
  method: request.method,
  path: request.raw.url ?? request.url,
  headers: request.headers,
  body: bytesOf(request),
  network: networkOf(addressOf(request)),
})
