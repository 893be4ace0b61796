import type { ErrorCode } from '#domain/errors.ts'

export const errors = {
  internal: 'Something went wrong on our side. Please try again in a moment.',
  not_found: 'This record does not exist or is no longer available.',
  unauthenticated: 'Please sign in to continue.',
  forbidden: 'You do not have permission to do this.',
  invalid_input: 'Some answers need your attention.',
  stale_version: 'Somebody else changed this in the meantime. Reload to see their change, then try again.',
  already_exists: 'This already exists.',
  in_use: 'This is still in use and cannot be deleted. You can deactivate it instead.',
  wrong_status: 'This is no longer possible because the status has changed. Reload to see where it stands.',
  too_many_requests: 'Too many attempts. Please wait a moment and try again.',
  idempotency_mismatch: 'This request was already sent with different content. Reload and try again.',
  payload_too_large: 'This is larger than allowed. Please send something smaller.',
  service_unavailable: 'The service is busy or starting. Please try again in a moment.',
} satisfies Record<ErrorCode, string>
