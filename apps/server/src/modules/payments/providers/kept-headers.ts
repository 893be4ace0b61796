import type { RawReport } from './provider.ts'

/** Headers to store with the bytes, as JSON, without secret ones. */
export function keptHeaders(headers: RawReport['headers']): string {
  const { authorization: _a, cookie: _c, 'x-callback-token': _t, ...storable } = headers
  return JSON.stringify(storable)
}
