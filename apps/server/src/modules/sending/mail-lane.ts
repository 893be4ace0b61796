import { claimMails } from '#server/modules/campaigns/claim/claim.ts'
import { noLongerAllowed } from '#server/modules/messaging/handovers/advance-messages.ts'
import type { Claim, ClaimedMessage } from '#server/modules/messaging/handovers/claims.ts'
import type { Consequence } from '#server/modules/messaging/handovers/news.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import { discardFile, getFile } from '#server/platform/files/stored-files.ts'
import { campaignMailsAtOnce, type Mail, type MailFile, mailsAtOnce } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'
import { claimMessagesByMail, mailScope, mostUrgentDue } from './claim-messages.ts'
import { handMail, type Outcome } from './hand-over.ts'
import type { Answer, LaneParts } from './lane.ts'
import { showInOutbox } from './outbox.ts'

export const mailLane = (services: Services): LaneParts => ({
  channel: 'email',
  prepare: async () => ({ workers: mailsAtOnce, campaigns: campaignMailsAtOnce }),
  claim: claimMails,
  messages: {
    mostUrgent: () => mostUrgentDue(services.db, mailScope, services.clock.now()),
    claim: claimMessagesByMail,
    // Waiting mails get no note. A mail stores the server's words only when it is tried itself.
    note: async () => {},
  },
  async call(claim) {
    if (claim.channel !== 'email') throw new Error('no mail')
    const { handoverId, mail, ofMessage } = claim
    return ofMessage ? callMessage(services, handoverId, mail, ofMessage) : handMail(services, handoverId, mail)
  },
  async record(context, answers) {
    if (services.mail.kind === 'outbox') await showInOutbox(context.tx, answers, services.clock.now())
    await discardFiles(context, answers)
  },
})

/**
 * Sends a mail with its attachment. The mail fails if the account lost the needed permission. A failure before the call
 * is retried.
 */
async function callMessage(services: Services, id: string, mail: Mail, message: ClaimedMessage): Promise<Outcome> {
  const failed = (reason: string, consequence: Consequence, detail?: string): Outcome => ({
    kind: 'news',
    news: { id, state: 'failed', at: services.clock.now(), reason, consequence, ...(detail && { detail }) },
  })
  let file: MailFile | undefined
  try {
    if (!(await mayStillRead(services, message))) return failed(noLongerAllowed, 'end')
    file = message.fileId ? await readAttachment(services, message.fileId) : undefined
  } catch (error) {
    return failed('refused', 'again', String((error as Error).message))
  }
  return handMail(services, id, { ...mail, ...(file && { file }) })
}

async function mayStillRead({ db, clock }: Services, { accountId, needsPermission }: ClaimedMessage) {
  if (!needsPermission) return true
  return (accountId && (await findActorOf(db, accountId, clock.now()))?.permissions.has(needsPermission)) ?? false
}

async function readAttachment({ db, files }: Services, fileId: string): Promise<MailFile> {
  const { name, mime, storageKey } = await getFile(db, fileId)
  return { name, mime, bytes: await files.bytes(storageKey) }
}

/**
 * Discards the file of a mail that an SMTP server accepted or whose account lost the permission. Files of mails in the
 * built-in outbox stay, so that the outbox can offer them.
 */
async function discardFiles({ tx, services }: Omit<Context, 'actor'>, answers: readonly Answer[]) {
  for (const { claim, outcome } of answers) {
    const fileId = fileOf(claim)
    if (!fileId || outcome.kind !== 'news') continue
    const { news } = outcome
    const hasArrived = news.state === 'accepted' && services.mail.kind === 'smtp'
    const isRefused = news.state === 'failed' && news.reason === noLongerAllowed
    if (hasArrived || isRefused) await discardFile(tx, fileId, services.clock.now())
  }
}

const fileOf = (claim: Claim) => claim.ofMessage?.fileId
