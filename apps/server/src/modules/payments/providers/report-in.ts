import type { FastifyRequest } from 'fastify'
import { addressOf, networkOf } from '#server/platform/address.ts'
import { bytesOf } from '#server/platform/raw-body.ts'
import type { RawReport } from './provider.ts'

/** A request as its sender made it: the path with its query, and the bytes. */
export const reportIn = (request: FastifyRequest): RawReport => ({
  method: request.method,
  path: request.raw.url ?? request.url,
  headers: request.headers,
  body: bytesOf(request),
  network: networkOf(addressOf(request)),
})
