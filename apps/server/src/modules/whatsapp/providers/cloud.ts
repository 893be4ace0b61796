import { z } from 'zod'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { Outgoing } from '#server/modules/messaging/handovers/claims.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { cutText } from '#server/platform/read-answer.ts'
import { cloudProblem } from './cloud-problems.ts'
import type { Handover, WhatsappProvider } from './provider.ts'

export type CloudAccess = { graphUrl: string; graphVersion: string; phoneNumberId: string; accessToken: string }

const timeoutMs = 15_000

const refusal = z.object({
  error: z.object({
    message: z.string().default(''),
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
})
/** An id that does not fit the column counts as missing. */
const messageId = z.string().regex(/^[\x21-\x7e]{1,200}$/)
const sendAnswer = z.object({ messages: z.array(z.object({ id: messageId })).min(1) })
const numberAnswer = z.object({
  verified_name: z.string().optional(),
  quality_rating: z.string().optional(),
  display_phone_number: z.string().optional(),
})

type GraphAnswer = { body: unknown } | { problem: WhatsappProblem; detail: string; unsure?: true }

/** Error codes raised before any byte of the request was sent; after other errors Meta may have the message. */
const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const isUnsent = (code: string | undefined) => code === 'UND_ERR_CONNECT_TIMEOUT' || unsentCodes.has(code ?? '')

/** Calls the Graph API. Every failure becomes a problem with the provider's words as detail. */
export async function callGraph(
  { graphUrl, graphVersion, accessToken }: CloudAccess,
  path: string,
  body?: object,
): Promise<GraphAnswer> {
  refuseInTransaction('calling WhatsApp')
  try {
    const answer = await fetch(`${graphUrl.replace(/\/+$/, '')}/${graphVersion}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // Redirects fail, because the token must go only to the configured address.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const payload: unknown = await answer.json().catch(() => ({}))
    if (answer.ok) return { body: payload }
    const { error } = refusal.safeParse(payload).data ?? { error: { message: `HTTP ${answer.status}` } }
    const sentence = [error.message, 'error_data' in error ? error.error_data?.details : ''].filter(Boolean).join(' · ')
    // A gateway error without Meta's error code does not say whether Meta has the message.
    const isUnsure = answer.status >= 500 && !('code' in error && error.code !== undefined)
    return {
      problem: cloudProblem(error, answer.status),
      detail: cutText(sentence, 300),
      ...(isUnsure && { unsure: true }),
    }
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const detail = String(cause?.code ?? name)
    return { problem: 'unreachable', detail, ...(!isUnsent(cause?.code) && { unsure: true }) }
  }
}

function bodyOf({ id, to, language, text, template }: Outgoing) {
  const envelope = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // Meta would take a user id in `to` for a number and lose the message without an error.
    ...(to.startsWith('+') ? { to: to.slice(1) } : { recipient: to }),
    biz_opaque_callback_data: id,
  }
  if (!template) return { ...envelope, type: 'text', text: { body: text, preview_url: false } }
  const parameters = template.parameters.map((value) => ({ type: 'text', text: toOneLine(value) }))
  return {
    ...envelope,
    type: 'template',
    template: {
      name: template.name,
      language: { code: language, policy: 'deterministic' },
      components: parameters.length > 0 ? [{ type: 'body', parameters }] : [],
    },
  }
}

/** Template parameters must not contain line breaks, tabs or more than four consecutive spaces. */
const toOneLine = (value: string) => value.replace(/\s+/g, ' ').trim() || '-'

/** Meta's Cloud API: approved templates at any time, free text only within 24 hours of the receiver's last message. */
export const cloudProvider = (access: CloudAccess): WhatsappProvider => ({
  async send(message): Promise<Handover> {
    if (!message.template && !message.windowOpen) return { problem: 'outside_window' }
    const answer = await callGraph(access, `${encodeURIComponent(access.phoneNumberId)}/messages`, bodyOf(message))
    if ('problem' in answer) return answer
    const parsedAnswer = sendAnswer.safeParse(answer.body)
    if (!parsedAnswer.success) return { problem: 'provider_down', detail: 'No message id in the answer', unsure: true }
    return { providerMessageId: parsedAnswer.data.messages[0]!.id }
  },
})

/** Checks number and token. Returns Meta's data about the number, or the problem. */
export async function checkNumber(access: CloudAccess) {
  const fields = 'verified_name,quality_rating,display_phone_number'
  const answer = await callGraph(access, `${encodeURIComponent(access.phoneNumberId)}?fields=${fields}`)
  if ('problem' in answer) return answer
  const { verified_name: name, quality_rating: quality, display_phone_number: phone } = numberAnswer.parse(answer.body)
  return { verifiedName: name ?? null, quality: quality ?? null, phone: phone ?? null }
}
