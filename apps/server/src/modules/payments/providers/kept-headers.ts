import type { RawReport } from './provider.ts'

/** Headers worth storing beside the bytes, as JSON; secret headers are left out. */
export function keptHeaders(headers: RawReport['headers']): string {
  const { authorization: _a, cookie: _c, 'x-callback-token': _t, ...storable } = headers
  return JSON.stringify(storable)
}
