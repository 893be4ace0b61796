export type Mail = { to: string; subject: string; text: string; html?: string; messageId: string }

/** How a mail leaves the house. The built-in outbox keeps it in table `messages` only. */
export type MailTransport = {
  kind: 'outbox' | 'smtp'
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

export const outboxTransport: MailTransport = {
  kind: 'outbox',
  send: async () => {},
  close: async () => {},
}
