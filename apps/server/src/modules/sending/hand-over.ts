import { type WhatsappProblem, whatsappProblems } from '#domain/whatsapp/problems.ts'
import type { Outgoing } from '#server/modules/messaging/handovers/claims.ts'
import type { News } from '#server/modules/messaging/handovers/news.ts'
import { newsOfProblem } from '#server/modules/messaging/handovers/whatsapp-reports.ts'
import type { Handover, WhatsappProvider } from '#server/modules/whatsapp/providers/provider.ts'
import { type Mail, mailFailureOf } from '#server/platform/mail.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Outcome of a call. `down`: the channel does not work and the message was not sent. `unknown`: Meta may still report
 * the outcome; otherwise the lease expires.
 */
export type Outcome =
  | { kind: 'news'; news: News; problem?: WhatsappProblem }
  | { kind: 'down'; words: string; problem?: WhatsappProblem }
  | { kind: 'unknown' }

const wordsOf = (error: unknown) => {
  const { response, message } = error as { response?: string; message?: string }
  return cutText(String(response ?? message ?? error), 300)
}

/** Sends a mail and turns the mail server's answer into an outcome. `id` is the handover's. */
export async function handMail(services: Services, id: string, mail: Mail): Promise<Outcome> {
  const at = () => services.clock.now()
  try {
    await services.mail.send(mail)
    return { kind: 'news', news: { id, state: 'accepted', at: at() } }
  } catch (error) {
    const detail = wordsOf(error)
    const failed = { id, state: 'failed' as const, at: at(), reason: 'refused', detail }
    switch (mailFailureOf(error)) {
      case 'channel':
        return { kind: 'down', words: detail }
      case 'temporary':
        return { kind: 'news', news: { ...failed, consequence: 'again' } }
      case 'no_mailbox':
        return { kind: 'news', news: { ...failed, reason: 'bounced', consequence: 'next', suppress: 'bounced' } }
      case 'refused':
        return { kind: 'news', news: { ...failed, consequence: 'next' } }
      case 'unknown':
        return { kind: 'news', news: { id, state: 'uncertain', at: at() } }
    }
  }
}

type Provider = {
  provider: WhatsappProvider
  /** The provider reports under our id, so an unanswered call is settled by its report. */
  reports: boolean
  /** Receivers see a repeated id only once, so a message that may have been sent can be sent again. */
  showsOnce: boolean
}

/** Sends a message and turns the provider's answer into an outcome. */
export async function handWhatsapp(
  services: Services,
  { provider, reports, showsOnce }: Provider,
  message: Outgoing,
): Promise<Outcome> {
  const { id } = message
  const answer = await provider.send(message).catch((error): Handover => {
    services.log.error({ err: error, handover: id }, 'a message could not be handed over')
    return { problem: 'provider_down', unsure: true }
  })
  const at = services.clock.now()
  if ('providerMessageId' in answer)
    return { kind: 'news', news: { id, state: 'accepted', at, providerMessageId: answer.providerMessageId } }
  const { problem, detail, unsure } = answer
  if (unsure && !showsOnce)
    return reports ? { kind: 'unknown' } : { kind: 'news', news: { id, state: 'uncertain', at } }
  if (whatsappProblems[problem] === 'wait' || problem === 'unreachable')
    return { kind: 'down', words: detail ?? problem, problem }
  return { kind: 'news', news: newsOfProblem(id, problem, detail, at), problem }
}
