import { claimMails } from '#server/modules/campaigns/claim/claim.ts'
import { noLongerAllowed } from '#server/modules/messaging/handovers/advance-messages.ts'
import type { Claim, ClaimedMessage } from '#server/modules/messaging/handovers/claims.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { discardFile, getFile } from '#server/platform/files/files.ts'
import { campaignMailsAtOnce, type Mail, type MailFile, mailsAtOnce } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { claimMessagesByMail, mailScope, mostUrgentDue } from './claim-messages.ts'
import { handMail, type Outcome } from './hand-over.ts'
import type { Answer, LaneParts } from './lane.ts'
import { showInOutbox } from './outbox.ts'

export const mailLane = (services: Services): LaneParts => ({
  channel: 'email',
  prepare: async () => ({ workers: mailsAtOnce, campaigns: campaignMailsAtOnce }),
  claim: (tx, campaignId, most) => claimMails(tx, services, campaignId, most),
  messages: {
    mostUrgent: () => mostUrgentDue(services.db, mailScope, services.clock.now()),
    claim: (tx, share) => claimMessagesByMail(tx, services, share),
    // The words of the server stand at the message that tried it.
    note: async () => {},
  },
  async call(claim) {
    if (claim.channel !== 'email') throw new Error('no mail')
    const { handoverId, mail, ofMessage } = claim
    return ofMessage ? callMessage(services, handoverId, mail, ofMessage) : handMail(services, handoverId, mail)
  },
  async record(tx, answers) {
    if (services.mail.kind === 'outbox') await showInOutbox(tx, answers, services.clock.now())
    await discardFiles(tx, services, answers)
  },
})

/** Hands a mail over with its file, if its account may still read it. */
async function callMessage(
  services: Services,
  id: string,
  mail: Mail,
  { accountId, fileId, needsPermission }: ClaimedMessage,
): Promise<Outcome> {
  const failed = { id, state: 'failed' as const }
  if (needsPermission && !(await mayStillRead(services, accountId, needsPermission))) {
    const news = { ...failed, at: services.clock.now(), reason: noLongerAllowed, consequence: 'end' as const }
    return { kind: 'news', news }
  }
  if (!fileId) return handMail(services, id, mail)
  let file: MailFile
  try {
    file = await readAttachment(services, fileId)
  } catch (error) {
    const detail = String((error as Error).message)
    const news = { ...failed, at: services.clock.now(), reason: 'refused', detail, consequence: 'again' as const }
    return { kind: 'news', news }
  }
  return handMail(services, id, { ...mail, file })
}

const mayStillRead = async ({ db, clock }: Services, accountId: string | null, permission: string) =>
  accountId !== null && ((await findActorOf(db, accountId, clock.now()))?.permissions.has(permission) ?? false)

async function readAttachment({ db, files }: Services, fileId: string): Promise<MailFile> {
  const { name, mime, storageKey } = await getFile(db, fileId)
  return { name, mime, bytes: await files.bytes(storageKey) }
}

/** Discards the files of mails that have arrived or whose reader may not have them; in the built-in outbox mails arrive. */
async function discardFiles(tx: Tx, services: Services, answers: readonly Answer[]) {
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
