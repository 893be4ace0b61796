import { z } from 'zod'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { cloudProblem } from './cloud-problems.ts'
import type { Handover, Outgoing, WhatsappProvider } from './provider.ts'

export type CloudAccess = { graphUrl: string; graphVersion: string; phoneNumberId: string; accessToken: string }

const patience = 15_000

const refusal = z.object({
  error: z.object({
    message: z.string().default(''),
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
})
const handedOver = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) })
const numberAnswer = z.object({
  verified_name: z.string().optional(),
  quality_rating: z.string().optional(),
  display_phone_number: z.string().optional(),
})

type Asked = { body: unknown } | { problem: WhatsappProblem; detail: string }

/** One call of the Graph API; whatever goes wrong comes back as a problem with the provider's own words beside it. */
async function ask({ graphUrl, graphVersion, accessToken }: CloudAccess, path: string, body?: object): Promise<Asked> {
  refuseInTransaction('calling WhatsApp')
  try {
    const answer = await fetch(`${graphUrl.replace(/\/+$/, '')}/${graphVersion}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // The token goes to the address that was entered and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    const told: unknown = await answer.json().catch(() => ({}))
    if (answer.ok) return { body: told }
    const { error } = refusal.safeParse(told).data ?? { error: { message: `HTTP ${answer.status}` } }
    const words = [error.message, 'error_data' in error ? error.error_data?.details : ''].filter(Boolean).join(' · ')
    return { problem: cloudProblem(error, answer.status), detail: words.slice(0, 300) }
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    return { problem: 'unreachable', detail: String(cause?.code ?? name) }
  }
}

function bodyOf({ id, to, language, text, template }: Outgoing) {
  const envelope = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to.replace(/^\+/, ''),
    biz_opaque_callback_data: id,
  }
  if (!template) return { ...envelope, type: 'text', text: { body: text, preview_url: false } }
  const parameters = template.parameters.map((value) => ({ type: 'text', text: oneLine(value) }))
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

/** Parameters may hold neither line breaks nor tabs nor more than four spaces in a row. */
const oneLine = (value: string) => value.replace(/\s+/g, ' ').trim() || '-'

/** Meta's own way: an approved template at any time, free text only while the receiver's window is open. */
export const cloudProvider = (access: CloudAccess): WhatsappProvider => ({
  async send(message): Promise<Handover> {
    if (!message.template && !message.windowOpen) return { problem: 'outside_window' }
    const answer = await ask(access, `${encodeURIComponent(access.phoneNumberId)}/messages`, bodyOf(message))
    if ('problem' in answer) return answer
    const taken = handedOver.safeParse(answer.body)
    if (!taken.success) return { problem: 'provider_down', detail: 'No message id in the answer' }
    return { providerMessageId: taken.data.messages[0]!.id }
  },
})

/** Whether number and token are right, and what Meta says of the number. */
export async function checkNumber(access: CloudAccess) {
  const fields = 'verified_name,quality_rating,display_phone_number'
  const answer = await ask(access, `${encodeURIComponent(access.phoneNumberId)}?fields=${fields}`)
  if ('problem' in answer) return answer
  const { verified_name: name, quality_rating: quality, display_phone_number: phone } = numberAnswer.parse(answer.body)
  return { verifiedName: name ?? null, quality: quality ?? null, phone: phone ?? null }
}
