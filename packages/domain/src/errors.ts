/** Every error code the API can answer with; each has a sentence in both languages under locales `errors`. */
export const errorCodes = [
  'internal',
  'not_found',
  'unauthenticated',
  'forbidden',
  'invalid_input',
  'stale_version',
  'already_exists',
  'in_use',
  'wrong_status',
  'too_many_requests',
  'idempotency_mismatch',
  'payload_too_large',
  'service_unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]
