import { sql } from 'kysely'
import { hasMailbox } from '#domain/accounts/mailbox.ts'
import type { Language } from '#entities/define/language.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { Context } from '#server/platform/use-case.ts'
import { type QueuedMessage, queueMessages } from './handovers/queue-messages.ts'
import { hasWhatsapp, providerTemplateOf } from './provider-template.ts'
import { fillMessage, findTemplates, type OwnTemplate, renderMessage } from './render-message.ts'

type Params = Record<string, unknown>

type Notice = {
  accountId: string
  /** Prefix of two locale keys: `messages:<event>.subject` and `messages:<event>.body`. */
  event: string
  /** A function if days and names depend on the reader's language. */
  params?: Params | ((language: Language) => Params)
  /** A path of the site, or a complete address. */
  link?: string
  /** Sends no WhatsApp message, for example because the account has not proven its phone number. */
  withoutWhatsapp?: boolean
}

type MailTo = {
  to: string
  language: Language
  event: string
  params?: Params
  link?: string
  accountId?: string
  /** A claimed file to attach. */
  fileId?: string | undefined
  /**
   * Permission that the account must still hold when the mail is sent; otherwise the mail fails as `no_longer_allowed`.
   */
  needs?: string
}

const absoluteLink = ({ config }: Services, link: string | undefined) =>
  link ? (link.startsWith('/') ? `${config.publicUrl}${link}` : link) : null

/** Link of a mail: our pages open in the language of the mail. */
function mailLink(services: Services, link: string | undefined, language: Language) {
  if (!link?.startsWith('/')) return absoluteLink(services, link)
  const { config } = services
  const url = new URL(link, config.publicUrl)
  if (!url.searchParams.has('lang')) url.searchParams.set('lang', language)
  return `${config.publicUrl}${url.pathname}${url.search}${url.hash}`
}

/**
 * Notifies an account: a message in the inbox, an e-mail, and a WhatsApp message if the university has an active
 * template for it; all in the account's language and in this transaction.
 */
export const notify = (context: Omit<Context, 'actor'>, { event, ...notice }: Notice) =>
  notifyMany(context, event, [notice])

/** A person without an account, as entered in a form. */
export type Person = {
  name: string
  email: string | null
  /** E.164 */
  phone: string | null
  language: Language
  params: Params
  link?: string
}

/** Notifies people without an account of one event: by e-mail, and by WhatsApp if there is an active template. */
export async function tellPeople(context: Omit<Context, 'actor'>, event: string, people: readonly Person[]) {
  const notices = people.map(({ params, link, ...person }) => ({
    to: { ...person, accountId: null, whatsapp: true },
    params,
    ...(link !== undefined && { link }),
  }))
  await queueMessages(context, await writeTo(context, event, notices))
}

/** Notifies thousands of accounts of one event with a few statements. */
export async function notifyMany(
  context: Omit<Context, 'actor'>,
  event: string,
  notices: readonly Omit<Notice, 'event'>[],
) {
  await queueMessages(context, await writeMessages(context, event, notices))
}

type Channel = QueuedMessage['channel']

/** Writes and returns the messages of an event. */
async function writeMessages(
  context: Omit<Context, 'actor'>,
  event: string,
  notices: readonly Omit<Notice, 'event'>[],
): Promise<QueuedMessage[]> {
  const { tx } = context
  if (notices.length === 0) return []
  const accounts = await tx
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'phone', 'whatsapp', 'language'])
    .where('id', 'in', [...new Set(notices.map(({ accountId }) => accountId))])
    .execute()
  const accountsById = new Map(accounts.map((account) => [account.id, account]))
  return writeTo(
    context,
    event,
    notices.map(({ accountId, params, link, withoutWhatsapp }) => {
      const account = accountsById.get(accountId)
      if (!account) throw new Error(`No account ${accountId}`)
      const whatsapp = account.whatsapp && !withoutWhatsapp
      const email = hasMailbox(account.email) ? account.email : null
      return { to: { ...account, email, accountId, whatsapp }, params, ...(link !== undefined && { link }) }
    }),
  )
}

type Recipient = Pick<Person, 'name' | 'email' | 'phone' | 'language'> & {
  /** Without an account there is no inbox. */
  accountId: string | null
  whatsapp: boolean
}
type AddressedNotice = Pick<Notice, 'link'> & { to: Recipient; params: Notice['params'] | undefined }

async function writeTo({ tx, services }: Omit<Context, 'actor'>, event: string, notices: readonly AddressedNotice[]) {
  if (notices.length === 0) return []
  const recipients = notices.map(({ to }) => to)
  const templates = new Map<string, OwnTemplate>()
  for (const language of new Set(recipients.map((recipient) => recipient.language)))
    for (const template of await findTemplates(tx, event, language))
      templates.set(`${template.channel} ${language}`, template)
  const takesWhatsapp =
    recipients.some(({ phone, whatsapp, language }) => phone && whatsapp && templates.has(`whatsapp ${language}`)) &&
    (await hasWhatsapp(tx))
  const universityName = templates.size > 0 ? (await getSettings(tx)).universityName : ''
  const now = services.clock.now()
  const rows = notices.flatMap(({ to, params: eventParams, link }) => {
    const { accountId, language } = to
    const params = { name: to.name, ...(typeof eventParams === 'function' ? eventParams(language) : eventParams) }
    const messageFor = (channel: Channel) => ({
      account_id: accountId,
      channel,
      event,
      language,
      created_at: now,
      link: absoluteLink(services, link),
      ...fillMessage({ event, language, params, template: templates.get(`${channel} ${language}`) }, universityName),
    })
    const whatsappTemplate = takesWhatsapp && to.phone && to.whatsapp && templates.get(`whatsapp ${language}`)
    return [
      // A path stays right if the site's address changes.
      ...(accountId ? [{ ...messageFor('inbox'), link: link ?? null, status: 'sent', sent_at: now }] : []),
      ...(to.email
        ? [
            {
              ...messageFor('email'),
              link: mailLink(services, link, language),
              to_address: to.email,
              status: 'queued',
            },
          ]
        : []),
      ...(whatsappTemplate
        ? [
            {
              ...messageFor('whatsapp'),
              to_address: to.phone,
              status: 'queued',
              provider_template: providerTemplateOf(whatsappTemplate.providerTemplate, whatsappTemplate.body, {
                university: universityName,
                ...params,
              }),
            },
          ]
        : []),
    ]
  })
  const { rows: written } = await sql<QueuedMessage>`
    INSERT INTO messages (account_id, channel, event, language, created_at, subject, body, link, status, sent_at,
      to_address, provider_template)
    SELECT m.account_id, m.channel, m.event, m.language, m.created_at, m.subject, m.body, m.link, m.status, m.sent_at,
      m.to_address, m.provider_template
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS m (account_id uuid, channel text, event text, language text,
      created_at timestamptz, subject text, body text, link text, status text, sent_at timestamptz, to_address text,
      provider_template jsonb)
    RETURNING id, channel, event`.execute(tx)
  return written
}

/** Queues an e-mail in this transaction, also to an address without an account. Returns the message id. */
export async function sendMail(
  context: Omit<Context, 'actor'>,
  { to, language, event, params, link, accountId, fileId, needs }: MailTo,
): Promise<string> {
  const { tx, services } = context
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
      link: mailLink(services, link, language),
      fileId: fileId ?? null,
      needsPermission: needs ?? null,
      createdAt: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queueMessages(context, [{ id, channel: 'email', event }])
  return id
}
