/** Service codes of the standard. */
export const services = { token: '73', inquiry: '24', payment: '25' } as const
export type SnapService = (typeof services)[keyof typeof services]

/** Every response of the portal: HTTP status, case code and message. The response code starts with the status. */
export const cases = {
  ok: [200, '00', 'Successful'],
  badRequest: [400, '00', 'Bad Request'],
  invalidField: [400, '01', 'Invalid Field Format'],
  missingField: [400, '02', 'Invalid Mandatory Field'],
  unauthorized: [401, '00', 'Unauthorized.'],
  invalidToken: [401, '01', 'Invalid Token (B2B)'],
  invalidNumber: [404, '11', 'Invalid Card/Account/Customer/Virtual Account'],
  notFound: [404, '12', 'Invalid Bill/Virtual Account [Not Found]'],
  invalidAmount: [404, '13', 'Invalid Amount'],
  paid: [404, '14', 'Paid Bill'],
  partner: [404, '16', 'Partner Not Found'],
  inconsistent: [404, '18', 'Inconsistent Request'],
  expired: [404, '19', 'Invalid Bill/Virtual Account [Expired]'],
  conflict: [409, '00', 'Conflict'],
  tooLarge: [413, '00', 'Request Too Large'],
  tooMany: [429, '00', 'Too Many Requests'],
  general: [500, '00', 'General Error'],
} as const satisfies Record<string, readonly [status: number, code: string, words: string]>
export type SnapCase = keyof typeof cases

/** Status and body of a response; `more` names a field or adds to the message. */
export function answerOf(service: SnapService, name: SnapCase, more?: string, data?: object) {
  const [status, code, words] = cases[name]
  return {
    status,
    body: {
      responseCode: `${status}${service}${code}`,
      responseMessage: more ? `${words} ${more}` : words,
      ...data,
    },
  }
}
