import type { Locale } from '#locales/index.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { deliverMessage } from './deliver-message.job.ts'
import { approvedTemplate, hasWhatsapp, whatsappQueued } from './queue-whatsapp.ts'
import { ownWordsFor, renderMessage } from './render-message.ts'

type Params = Record<string, unknown>

type Notice = {
  accountId: string
  /** Key of the locale namespace `messages`: `<event>.subject` and `<event>.body`. */
  event: string
  /** Days and names may depend on the reader's language. */
  params?: Params | ((language: Locale) => Params)
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
export async function notify(tx: Db, services: Services, { accountId, event, params: given, link }: Notice) {
  const account = await tx
    .selectFrom('accounts')
    .select(['name', 'email', 'phone', 'whatsapp', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { language } = account
  const own = new Map((await ownWordsFor(tx, event, language)).map((words) => [words.channel, words]))
  const params = { name: account.name, ...(typeof given === 'function' ? given(language) : given) }
  const now = services.clock.now()
  const common = { accountId, event, language, createdAt: now }
  const words = (channel: 'inbox' | 'email' | 'whatsapp') =>
    renderMessage(tx, { event, language, params, own: own.get(channel) })
  const ownWhatsapp = account.phone && account.whatsapp ? own.get('whatsapp') : undefined
  const whatsapp = ownWhatsapp &&
    (await hasWhatsapp(tx)) && {
      ...common,
      channel: 'whatsapp' as const,
      toAddress: account.phone,
      ...(await words('whatsapp')),
      link: absolute(services, link),
      providerTemplate: await approvedTemplate(tx, ownWhatsapp, params),
      dueAt: now,
    }
  const queued = await tx
    .insertInto('messages')
    .values([
      // Inside the site a path is enough, and stays right when the address changes.
      { ...common, channel: 'inbox', ...(await words('inbox')), link: link ?? null, status: 'sent', sentAt: now },
      {
        ...common,
        channel: 'email',
        toAddress: account.email,
        ...(await words('email')),
        link: absolute(services, link),
      },
      ...(whatsapp ? [whatsapp] : []),
    ])
    .returning(['id', 'channel'])
    .execute()
  for (const { id: messageId, channel } of queued) {
    if (channel === 'email') await services.jobs.enqueue(tx, deliverMessage, { messageId })
    if (channel === 'whatsapp') await services.jobs.publish(tx, whatsappQueued, { messageId })
  }
}

/** Queues an e-mail in this transaction, also for addresses without an account. */
export async function sendMail(tx: Db, services: Services, { to, language, event, params, link, accountId }: MailTo) {
  const own = (await ownWordsFor(tx, event, language)).find(({ channel }) => channel === 'email')
  const { id } = await tx
    .insertInto('messages')
    .values({
      accountId: accountId ?? null,
      channel: 'email',
      toAddress: to,
      event,
      language,
      ...(await renderMessage(tx, { event, language, params, own })),
      link: absolute(services, link),
      createdAt: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.jobs.enqueue(tx, deliverMessage, { messageId: id })
}
