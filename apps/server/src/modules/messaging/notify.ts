import type { Locale } from '#locales/index.ts'
import type { Db } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { deliverMessage } from './deliver-message.job.ts'
import { queueWhatsapp } from './queue-whatsapp.ts'
import { renderMessage } from './render-message.ts'

type Params = Record<string, unknown>

type Notice = {
  accountId: string
  /** Key of the locale namespace `messages`: `<event>.subject` and `<event>.body`. */
  event: string
  params?: Params
  /** Where to continue: a path of the site, or a complete address. */
  link?: string
}

type MailTo = { to: string; language: Locale; event: string; params?: Params; link?: string; accountId?: string }

const absolute = ({ config }: Services, link: string | undefined) =>
  link ? (link.startsWith('/') ? `${config.publicUrl}${link}` : link) : null

/**
 * Tells an account something: a message in its inbox, an e-mail and, where the university has words for it on WhatsApp, a
 * message there; all in its language and in this transaction.
 */
export async function notify(tx: Db, services: Services, { accountId, event, params, link }: Notice) {
  const account = await tx
    .selectFrom('accounts')
    .select(['name', 'email', 'phone', 'whatsapp', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const now = services.clock.now()
  await tx
    .insertInto('messages')
    .values({
      accountId,
      channel: 'inbox',
      event,
      language: account.language,
      ...(await renderMessage(tx, 'inbox', event, account.language, { name: account.name, ...params })),
      // Inside the site a path is enough, and stays right when the address changes.
      link: link ?? null,
      status: 'sent',
      createdAt: now,
      sentAt: now,
    })
    .execute()
  await sendMail(tx, services, {
    to: account.email,
    language: account.language,
    event,
    params: { name: account.name, ...params },
    accountId,
    ...(link && { link }),
  })
  await queueWhatsapp(
    tx,
    services,
    { accountId, ...account },
    { event, params: { name: account.name, ...params }, link: absolute(services, link) },
  )
}

/** Queues an e-mail in this transaction, also for addresses without an account. */
export async function sendMail(tx: Db, services: Services, { to, language, event, params, link, accountId }: MailTo) {
  const { id } = await tx
    .insertInto('messages')
    .values({
      accountId: accountId ?? null,
      channel: 'email',
      toAddress: to,
      event,
      language,
      ...(await renderMessage(tx, 'email', event, language, params)),
      link: absolute(services, link),
      createdAt: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.jobs.enqueue(tx, deliverMessage, { messageId: id })
}
