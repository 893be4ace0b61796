import { campaignEvent } from '#server/modules/campaigns/claim/claim.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Answer } from './lane.ts'

/**
 * Copies accepted campaign messages to the built-in outbox, which replaces a real channel. Single messages are in its
 * table already.
 */
export async function showInOutbox(tx: Tx, answers: readonly Answer[], now: Date) {
  const messages = answers
    .filter(({ claim, outcome }) => !claim.ofMessage && outcome.kind === 'news' && outcome.news.state === 'accepted')
    .map(({ claim }) => ({
      channel: claim.channel,
      toAddress: claim.channel === 'email' ? claim.mail.to : claim.message.to,
      event: campaignEvent,
      language: claim.language,
      subject: claim.channel === 'email' ? claim.mail.subject : '',
      body: claim.channel === 'email' ? claim.mail.text : claim.message.text,
      status: 'sent' as const,
      createdAt: now,
      sentAt: now,
    }))
  if (messages.length > 0) await tx.insertInto('messages').values(messages).execute()
}
