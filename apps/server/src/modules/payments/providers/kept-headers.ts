import type { RawReport } from './provider.ts'

/** Headers worth keeping beside the bytes, as JSON; secrets that arrive in them are not. */
export function keptHeaders(headers: RawReport['headers']): string {
  const { authorization: _a, cookie: _c, 'x-callback-token': _t, ...kept } = headers
  return JSON.stringify(kept)
}
