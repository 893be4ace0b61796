import type { Readable } from 'node:stream'
import type { Config } from '#server/config.ts'

export type MailFile = { name: string; mime: string; bytes: Buffer }

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  messageId: string
  file?: MailFile
  headers?: Readonly<Record<string, string>>
}

/** Sends mails. The built-in outbox sends nothing; its mails stay in table `messages`. */
export type MailTransport = {
  kind: 'outbox' | 'smtp'
  /** Throws if the mail could not be handed over; `mailFailureOf` says what that means. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

export const outboxTransport: MailTransport = {
  kind: 'outbox',
  send: async () => {},
  close: async () => {},
}

/** Domain of a sender in the form of MAIL_FROM, `Name <user@domain>`; empty if there is none. */
export const senderDomain = (from: string) => /@([\w.-]+)/.exec(from)?.[1]?.toLowerCase() ?? ''

/** Whether mail to or from the domain reaches nobody, because only this machine or a test knows it (RFC 6761). */
export const isLocalDomain = (domain: string) =>
  !domain.includes('.') || /\.(local|test|localhost|invalid)$/.test(domain)

function envelopeOf(from: string, { to, subject, text, html, messageId, file, headers }: Mail) {
  const domain = senderDomain(from) || 'localhost'
  const attachments = file && [{ filename: file.name, contentType: file.mime, content: file.bytes }]
  return {
    from,
    to,
    subject,
    text,
    ...(html && { html }),
    ...(attachments && { attachments }),
    ...(headers && { headers: { ...headers } }),
    messageId: `<${messageId}@${domain}>`,
  }
}

/** Mails that a process hands over at a time. */
export const mailsAtOnce = 14
/** Mails of campaigns among them: the others are left for messages. */
export const campaignMailsAtOnce = 10

/** Nodemailer's mail between composing and connecting; `streams` are its sources. */
type TrackedMail = { message: { createReadStream(): Readable }; data: { streams?: Readable[] } }

export function smtpTransport(url: string, from: string): MailTransport {
  /** Loads nodemailer at the first mail. */
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      pool: true,
      maxConnections: mailsAtOnce,
      // A mail is sent again below, where it is known whether the server has read of it.
      maxRequeues: 0,
      maxMessages: Number.POSITIVE_INFINITY,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    })
    transport.use('stream', (mail, done) => {
      const { message, data } = mail as unknown as TrackedMail
      const read = message.createReadStream.bind(message)
      message.createReadStream = () => {
        const stream = read()
        data.streams?.push(stream)
        return stream
      }
      done()
    })
    return transport
  }
  let connecting: ReturnType<typeof connect> | undefined
  return {
    kind: 'smtp',
    async send(mail) {
      connecting ??= connect()
      const transport = await connecting
      for (let isFirst = true; ; isFirst = false) {
        const streams: Readable[] = []
        try {
          const tracked = { ...envelopeOf(from, mail), streams }
          await transport.sendMail(tracked)
          return
        } catch (error) {
          const hasBegun = streams.some((stream) => stream.readableDidRead)
          // The server closed an idle connection: send the mail on a new one.
          const isStale = isFirst && !hasBegun && /maximum number of retries/.test(String((error as Error).message))
          if (!isStale) throw Object.assign(error as Error, { hasBegun })
        }
      }
    },
    close: async () => (await connecting)?.close(),
  }
}

export const mailTransportFor = (config: Pick<Config, 'mail'>): MailTransport =>
  config.mail.smtpUrl ? smtpTransport(config.mail.smtpUrl, config.mail.from) : outboxTransport

/**
 * What a failure means for the mail. `channel`: the mail server was not reached or refuses everything. `unknown`: it
 * read bytes of the mail and did not answer, so the mail may have arrived.
 */
export type MailFailure = 'refused' | 'no_mailbox' | 'temporary' | 'channel' | 'unknown'

/**
 * Whether a reply to a command is about one mail; other commands concern the connection. Servers also send 421 for
 * single recipients.
 */
const isOfMail = (command: string | undefined) => command === 'RCPT TO' || command === 'DATA'

export function mailFailureOf(error: unknown): MailFailure {
  const { responseCode, response, command, code, hasBegun } = error as Partial<SmtpFailure> & { hasBegun?: boolean }
  if (!responseCode) {
    if (command === 'API' && code === 'EENVELOPE') return 'refused'
    return hasBegun ? 'unknown' : 'channel'
  }
  if (!isOfMail(command)) return hasBegun && responseCode !== 421 ? 'unknown' : 'channel'
  if (responseCode < 500 || responseCode === 503) return 'temporary'
  return isMissingMailbox(responseCode, response ?? '') ? 'no_mailbox' : 'refused'
}

/** Whether the server says the recipient's address does not exist (RFC 3463; 5.1.7 and 5.1.8 are about the sender). */
export const isMissingMailbox = (status: number, words: string) =>
  [550, 551, 553].includes(status) && /\b5\.1\.(?:0|1|2|3|6|10)\b/.test(words)

export type MailAnswer = {
  accepted: boolean
  /** The server's words, or the failure's if the server did not answer; null if there are none. */
  words: string | null
  /** Server status, such as 535; 0 without an answer. */
  status: number
  /** Error code, such as EAUTH. */
  code: string
  /** The SMTP command that failed. */
  command: string
}

/** Sends one mail on its own connection; returns the server's answer instead of throwing. */
export async function tryMail(url: string, from: string, mail: Mail): Promise<MailAnswer> {
  const { createTransport } = await import('nodemailer')
  const patienceMs = 8_000
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
  })
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
