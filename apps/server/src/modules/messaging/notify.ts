import type { Language } from '#entities/define/language.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { deliverMessageJob } from './deliver-message.job.ts'
import { approvedTemplate, hasWhatsapp, whatsappQueued } from './queue-whatsapp.ts'
import { findTemplates, renderMessage } from './render-message.ts'

type Params = Record<string, unknown>

type Notice = {
  accountId: string
  /** Key of the locale namespace `messages`: `<event>.subject` and `<event>.body`. */
  event: string
  /** Days and names may depend on the reader's language. */
  params?: Params | ((language: Language) => Params)
  /** A path of the site, or a complete address. */
  link?: string
}

type MailTo = { to: string; language: Language; event: string; params?: Params; link?: string; accountId?: string }

const absoluteLink = ({ config }: Services, link: string | undefined) =>
  link ? (link.startsWith('/') ? `${config.publicUrl}${link}` : link) : null

/**
 * Notifies an account: a message in the inbox, an e-mail, and a WhatsApp message if the university has an active
 * template for it; all in the account's language and in this transaction.
 */
export async function notify(tx: Db, services: Services, { accountId, event, params: eventParams, link }: Notice) {
  const account = await tx
    .selectFrom('accounts')
    .select(['name', 'email', 'phone', 'whatsapp', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { language } = account
  const templates = new Map((await findTemplates(tx, event, language)).map((template) => [template.channel, template]))
  const params = { name: account.name, ...(typeof eventParams === 'function' ? eventParams(language) : eventParams) }
  const now = services.clock.now()
  const sharedColumns = { accountId, event, language, createdAt: now }
  const renderFor = (channel: 'inbox' | 'email' | 'whatsapp') =>
    renderMessage(tx, { event, language, params, template: templates.get(channel) })
  const whatsappTemplate = account.phone && account.whatsapp ? templates.get('whatsapp') : undefined
  const whatsappMessage = whatsappTemplate &&
    (await hasWhatsapp(tx)) && {
      ...sharedColumns,
      channel: 'whatsapp' as const,
      toAddress: account.phone,
      ...(await renderFor('whatsapp')),
      link: absoluteLink(services, link),
      providerTemplate: await approvedTemplate(tx, whatsappTemplate, params),
      dueAt: now,
    }
  const inserted = await tx
    .insertInto('messages')
    .values([
      // A path stays right when the address of the site changes.
      {
        ...sharedColumns,
        channel: 'inbox',
        ...(await renderFor('inbox')),
        link: link ?? null,
        status: 'sent',
        sentAt: now,
      },
      {
        ...sharedColumns,
        channel: 'email',
        toAddress: account.email,
        ...(await renderFor('email')),
        link: absoluteLink(services, link),
      },
      ...(whatsappMessage ? [whatsappMessage] : []),
    ])
    .returning(['id', 'channel'])
    .execute()
  for (const { id: messageId, channel } of inserted) {
    if (channel === 'email') await services.jobs.enqueue(tx, deliverMessageJob, { messageId })
    if (channel === 'whatsapp') await services.jobs.publish(tx, whatsappQueued, { messageId })
  }
}

/** Queues an e-mail in this transaction, also for addresses without an account. */
export async function sendMail(tx: Db, services: Services, { to, language, event, params, link, accountId }: MailTo) {
  const template = (await findTemplates(tx, event, language)).find(({ channel }) => channel === 'email')
  const { id } = await tx
    .insertInto('messages')
    .values({
      accountId: accountId ?? null,
      channel: 'email',
      toAddress: to,
      event,
      language,
      ...(await renderMessage(tx, { event, language, params, template })),
      link: absoluteLink(services, link),
      createdAt: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.jobs.enqueue(tx, deliverMessageJob, { messageId: id })
}
