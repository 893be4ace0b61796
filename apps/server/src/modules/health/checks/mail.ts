import crypto from 'node:crypto'
import type { ProblemResult } from '#domain/health/connection-checks.ts'
import type { CheckResult } from '#domain/health/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { type MailAnswer, tryMail } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { resultOf } from './result.ts'

/** Sends a test message through the configured mail server and reports the server's answer. */
export async function checkMail(services: Services, actor: Actor, to: string): Promise<CheckResult[]> {
  refuseInTransaction('sending a test mail')
  const { smtpUrl, from } = services.config.mail
  if (!smtpUrl) return [resultOf('mail-outbox', services.config.demo ? 'soon' : 'red')]
  const { universityName: university } = await getSettings(services.db)
  const t = sentences(actor.language)
  const answer = await tryMail(smtpUrl, from, {
    to,
    subject: t('health:testMail.subject', { university }),
    text: t('health:testMail.body', { university, address: services.config.publicUrl }),
    messageId: crypto.randomUUID(),
  })
  const words = answer.words && withoutPassword(answer.words, smtpUrl)
  const facts = { to, host: hostOf(smtpUrl) }
  if (answer.accepted) return [resultOf('mail-queued', 'ok', { facts, answer: words })]
  return [resultOf(codeOf(answer), 'red', { facts, answer: words })]
}

/** Host and port of the mail server, without user and password. */
export function hostOf(smtpUrl: string): string {
  try {
    return new URL(smtpUrl).host
  } catch {
    return ''
  }
}

/** A decoded part of the address, as its server gets it; unchanged if a bare % makes it undecodable. */
function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Removes user and password: a server may repeat what it was sent. */
function withoutPassword(words: string, smtpUrl: string): string {
  const [user, password] = [new URL(smtpUrl).username, new URL(smtpUrl).password].map(decoded)
  // As AUTH LOGIN and AUTH PLAIN (RFC 4616) send them.
  const sent = password ? [password, `\0${user}\0${password}`] : []
  const secrets = [new URL(smtpUrl).password, password, ...sent.map((text) => Buffer.from(text).toString('base64'))]
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '••••') : text), words)
}

function codeOf({ status, code, command, words }: MailAnswer): ProblemResult {
  if (code === 'EAUTH') return 'mail-auth'
  if (status >= 400 && status < 500) return 'mail-later'
  if (status >= 500 && command.startsWith('RCPT')) return 'mail-recipient'
  if (status >= 500 && command.startsWith('MAIL')) return 'mail-sender'
  if (status >= 500) return 'mail-refused'
  if (code === 'ETIMEDOUT') return 'mail-timeout'
  if (code === 'EDNS' || code === 'ENOTFOUND') return 'mail-unknown-host'
  if (code === 'ETLS' || /certificate|altname|ssl|tls/i.test(words ?? '')) return 'mail-tls'
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(words ?? '') || code === 'ECONNECTION') return 'mail-unreachable'
  return 'mail-failed'
}
