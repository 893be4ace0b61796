import { useTranslation } from 'react-i18next'
import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { FieldValue } from '#domain/payments/approvals/compare-fields.ts'
import { rupiah } from '#locales/format.ts'

const delimiters: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }

/** Translation keys for choice values, by request kind and last part of the field name. */
const choices: Record<string, string> = {
  'provider_connection kind': 'providers:kinds',
  'provider_connection mode': 'providers:modes',
  'provider_connection inboundSignature': 'providers:inboundSignatures',
  'provider_connection signedPath': 'providers:signedPaths',
  'provider_connection bodyForm': 'providers:bodyForms',
  'provider_connection unfitting': 'providers:unfittings',
  'provider_connection amountType': 'providers:amountTypes',
  'bank_account kind': 'reconciliation:mapping.kinds',
  'bank_account decimal': 'reconciliation:mapping.signs',
  'bank_account thousands': 'reconciliation:mapping.signs',
}

/** Names and values of settings fields, worded as in the form that edits them. */
export function useFieldWords(kind: ApprovalKind) {
  const { t } = useTranslation(['approvals', 'providers', 'reconciliation', 'common'])
  const translate = (key: string) => t(key as 'approvals:pending.send')
  const labelOf = (field: string): string => {
    const parts = field.split('.')
    const lastPart = parts.at(-1)!
    if (kind === 'bank_account')
      return translate(parts.length > 1 ? `reconciliation:mapping.${lastPart}` : `reconciliation:account.${lastPart}`)
    if (parts[0] === 'banks')
      return t('pending.ofBank', { bank: parts[1], field: translate(`providers:bank.${lastPart}`) })
    return translate(parts[0] === 'secrets' ? `providers:secrets.${lastPart}` : `providers:${lastPart}`)
  }
  const writeValue = (field: string, value: FieldValue): string => {
    if (value === null || value === '') return '—'
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
    if (Array.isArray(value)) return value.join(', ') || '—'
    if (field.startsWith('secrets.')) return t(value === 'new' ? 'pending.newKey' : 'pending.storedKey')
    const lastPart = field.split('.').at(-1)!
    if (lastPart === 'maximumAmount') return rupiah(Number(value))
    if (lastPart === 'bankPublicKey') return t('pending.fingerprint', { digits: value })
    if (lastPart === 'delimiter') return translate(`reconciliation:mapping.delimiters.${delimiters[value]}`)
    const listKey = choices[`${kind} ${lastPart}`]
    return listKey ? translate(`${listKey}.${value}`) : String(value)
  }
  return { labelOf, writeValue }
}
