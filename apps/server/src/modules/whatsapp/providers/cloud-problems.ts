import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'

/** Problems by error code of Meta's Cloud API. */
const problemByCode: Record<number, WhatsappProblem> = {
  0: 'credentials',
  190: 'credentials',
  3: 'permission',
  10: 'permission',
  131005: 'permission',
  368: 'blocked',
  131031: 'blocked',
  131042: 'payment',
  131045: 'not_registered',
  133010: 'not_registered',
  4: 'too_fast',
  80007: 'too_fast',
  130429: 'too_fast',
  131048: 'spam_limit',
  131056: 'pair_limit',
  1: 'provider_down',
  2: 'provider_down',
  131000: 'provider_down',
  131016: 'provider_down',
  131057: 'provider_down',
  133004: 'provider_down',
  131021: 'same_number',
  131026: 'undeliverable',
  // The business may not write to this number's country.
  130497: 'undeliverable',
  131030: 'not_allowed_recipient',
  131047: 'outside_window',
  131049: 'held_back',
  130472: 'held_back',
  131050: 'opted_out',
  132000: 'template_parameters',
  132012: 'template_parameters',
  132001: 'template_missing',
  132005: 'template_too_long',
  132007: 'template_paused',
  132015: 'template_paused',
  132016: 'template_paused',
}

type GraphError = { code?: number | undefined; error_subcode?: number | undefined }

/** Problem for an error of the Cloud API. An unknown code counts as a refusal of this message. */
export function cloudProblem({ code, error_subcode: subcode }: GraphError, httpStatus = 400): WhatsappProblem {
  // "Object with this id does not exist": the id of the sending number is wrong, not the message.
  if (code === 100 && subcode === 33) return 'wrong_number_id'
  if (code !== undefined && code >= 200 && code < 300) return 'permission'
  const problem = code === undefined ? undefined : problemByCode[code]
  if (problem) return problem
  if (httpStatus === 401) return 'credentials'
  if (httpStatus === 403) return 'permission'
  if (httpStatus === 429) return 'too_fast'
  return httpStatus >= 500 ? 'provider_down' : 'rejected'
}
