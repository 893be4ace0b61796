import type { Config } from '#server/config.ts'

export type MailFile = { name: string; mime: string; bytes: Buffer }

export type Mail = { to: string; subject: string; text: string; html?: string; messageId: string; file?: MailFile }

/** Sends mails. The built-in outbox sends nothing: mails stay in table `messages`. */
export type MailTransport = {
  kind: 'outbox' | 'smtp'
  /** Throws if the mail could not be handed over; the calling job tries again later. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

export const outboxTransport: MailTransport = {
  kind: 'outbox',
  send: async () => {},
  close: async () => {},
}

/** Domain of a sender as MAIL_FROM gives it, `Name <user@domain>`; empty without one. */
export const senderDomain = (from: string) => /@([\w.-]+)/.exec(from)?.[1]?.toLowerCase() ?? ''

/** Whether mail from a domain reaches nobody, since only this machine or a test knows it (RFC 6761). */
export const isLocalDomain = (domain: string) =>
  !domain.includes('.') || /\.(local|test|localhost|invalid)$/.test(domain)

function envelopeOf(from: string, { to, subject, text, html, messageId, file }: Mail) {
  const domain = senderDomain(from) || 'localhost'
  const attachments = file && [{ filename: file.name, contentType: file.mime, content: file.bytes }]
  return {
    from,
    to,
    subject,
    text,
    ...(html && { html }),
    ...(attachments && { attachments }),
    messageId: `<${messageId}@${domain}>`,
  }
}

export function smtpTransport(url: string, from: string): MailTransport {
  /** Loads nodemailer at the first mail. */
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 3,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    } as never)
  }
  let connecting: ReturnType<typeof connect> | undefined
  return {
    kind: 'smtp',
    async send(mail) {
      connecting ??= connect()
      await (await connecting).sendMail(envelopeOf(from, mail))
    },
    close: async () => (await connecting)?.close(),
  }
}

export const mailTransportFor = (config: Pick<Config, 'mail'>): MailTransport =>
  config.mail.smtpUrl ? smtpTransport(config.mail.smtpUrl, config.mail.from) : outboxTransport

/** Whether the receiver's server refused for good (5xx), so that the mail is not tried again. */
export const isPermanentMailFailure = (error: unknown) => {
  const code = (error as { responseCode?: number } | undefined)?.responseCode ?? 0
  return code >= 500 && code < 600
}

export type MailAnswer = {
  accepted: boolean
  /** Words of the server, or of the failure where it did not answer; null if there are none. */
  words: string | null
  /** Status of the server, such as 535; 0 where it did not answer. */
  status: number
  /** Code of the failure, such as EAUTH. */
  code: string
  /** The SMTP command that failed. */
  command: string
}

/** Sends one mail on a connection of its own, and returns what the server answered instead of throwing. */
export async function tryMail(url: string, from: string, mail: Mail): Promise<MailAnswer> {
  const { createTransport } = await import('nodemailer')
  const patienceMs = 8_000
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
  } as never)
  try {
    const { response } = (await transport.sendMail(envelopeOf(from, mail))) as { response?: string }
    return { accepted: true, words: response ?? null, status: 250, code: '', command: '' }
  } catch (error) {
    const { response, responseCode = 0, code = '', command = '', message } = error as Error & Partial<SmtpFailure>
    return { accepted: false, words: (response ?? message).slice(0, 500), status: responseCode, code, command }
  } finally {
    transport.close()
  }
}

type SmtpFailure = { response: string; responseCode: number; code: string; command: string }
