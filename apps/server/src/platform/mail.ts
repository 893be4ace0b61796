import type { Config } from '#server/config.ts'

export type Mail = { to: string; subject: string; text: string; html?: string; messageId: string }

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
    async send({ to, subject, text, html, messageId }) {
      const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
      connecting ??= connect()
      const transport = await connecting
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        ...(html && { html }),
        messageId: `<${messageId}@${domain}>`,
      })
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
