import type { Config } from './config.ts'

/** Says where mails of a demo go. */
export const mailNotice = ({ mail }: Pick<Config, 'mail'>, url: string) =>
  mail.smtpUrl ? 'Mail is sent by SMTP, as SMTP_URL says.' : `Mail is kept in the outbox at ${url}/outbox.`
