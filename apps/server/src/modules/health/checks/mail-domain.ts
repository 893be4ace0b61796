import { Resolver } from 'node:dns/promises'
import type { CheckResult } from '#domain/health/endpoints.ts'
import type { Config } from '#server/config.ts'
import { isLocalDomain, senderDomain } from '#server/platform/mail.ts'
import { hostOf } from './mail.ts'
import { resultOf } from './result.ts'

/** Names under which mail providers usually publish their DKIM key. */
const usualSelectors = ['default', 'google', 'mail', 'dkim', 's1', 's2', 'k1', 'selector1', 'selector2', 'resend']

/** DNS error codes that mean: no such record. */
const absent = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

/** Checks SPF, DKIM and DMARC of the domain of MAIL_FROM, each with the record to add if it is missing. */
export async function checkMailDomain({ mail, dnsServers }: Config, selector: string): Promise<CheckResult[]> {
  const domain = senderDomain(mail.from)
  if (isLocalDomain(domain)) return [resultOf('mail-from-local', 'red', { facts: { from: mail.from } })]
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const textsAt = async (name: string): Promise<string[]> => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  }
  const host = mail.smtpUrl ? hostOf(mail.smtpUrl).replace(/:\d+$/, '') : ''
  const checks = [checkSpf(textsAt, domain, host), checkDkim(textsAt, domain, selector), checkDmarc(textsAt, domain)]
  const settled = await Promise.allSettled(checks)
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (!failed) return results
  const { code = 'unknown' } = failed.reason as NodeJS.ErrnoException
  return [...results, resultOf('dns-failed', 'soon', { facts: { domain }, answer: code })]
}

type TextsAt = (name: string) => Promise<string[]>

async function checkSpf(textsAt: TextsAt, domain: string, host: string): Promise<CheckResult> {
  const records = (await textsAt(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  const facts = { domain }
  const [answer = null] = records
  if (!answer) {
    const sender = /[a-z]/i.test(host) ? `a:${host} ` : host ? `ip4:${host} ` : ''
    const record = { name: domain, type: 'TXT', value: `v=spf1 ${sender}mx ~all` }
    return resultOf('spf-missing', 'red', { facts, record })
  }
  if (records.length > 1) return resultOf('spf-two', 'red', { facts, answer: records.join('\n') })
  if (/\s\+?all\b/i.test(answer) && !/\s[~?-]all\b/i.test(answer)) {
    const record = { name: domain, type: 'TXT', value: answer.replace(/\s\+?all\b/i, ' ~all') }
    return resultOf('spf-open', 'soon', { facts, answer, record })
  }
  return resultOf('spf-ok', 'ok', { facts, answer })
}

async function checkDkim(textsAt: TextsAt, domain: string, selector: string): Promise<CheckResult> {
  const selectors = selector ? [selector] : usualSelectors
  const found = await Promise.all(
    selectors.map(async (name) => ({
      name,
      text: (await textsAt(`${name}._domainkey.${domain}`)).find((text) => /(^|;)\s*p\s*=/i.test(text)),
    })),
  )
  const keys = found.flatMap(({ name, text }) => (text ? [{ name, text }] : []))
  const key = keys.find(({ text }) => /(^|;)\s*p\s*=\s*[^;\s]/i.test(text))
  if (key) return resultOf('dkim-ok', 'ok', { facts: { domain, selector: key.name }, answer: key.text })
  if (keys[0])
    return resultOf('dkim-revoked', 'red', { facts: { domain, selector: keys[0].name }, answer: keys[0].text })
  const record = {
    name: `${selector || 'mail'}._domainkey.${domain}`,
    type: 'TXT',
    value: 'v=DKIM1; k=rsa; p=…',
  }
  return resultOf('dkim-missing', 'soon', { facts: { domain, selector: selectors.join(', ') }, record })
}

async function checkDmarc(textsAt: TextsAt, domain: string): Promise<CheckResult> {
  const facts = { domain }
  const name = `_dmarc.${domain}`
  // A subdomain inherits the DMARC record of its parent: pmb.example.ac.id that of example.ac.id.
  const parent = domain.split('.').slice(1).join('.')
  const isRecord = (text: string) => /^v=DMARC1\s*(;|$)/i.test(text)
  const own = (await textsAt(name)).filter(isRecord)
  const inherits = own.length === 0 && parent.split('.').length > 2
  const records = inherits ? (await textsAt(`_dmarc.${parent}`)).filter(isRecord) : own
  const [answer = null] = records
  if (!answer) {
    const record = { name, type: 'TXT', value: `v=DMARC1; p=none; rua=mailto:postmaster@${domain}` }
    return resultOf('dmarc-missing', 'soon', { facts, record })
  }
  if (records.length > 1) return resultOf('dmarc-two', 'red', { facts, answer: records.join('\n') })
  if (/;\s*p\s*=\s*none\b/i.test(answer)) {
    const value = answer.replace(/(;\s*p\s*=\s*)none\b/i, '$1quarantine')
    return resultOf('dmarc-none', 'ok', { facts, answer, record: { name, type: 'TXT', value } })
  }
  return resultOf('dmarc-ok', 'ok', { facts, answer })
}
