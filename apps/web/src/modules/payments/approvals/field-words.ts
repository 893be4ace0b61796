import { useTranslation } from 'react-i18next'
import type { ApprovalKind } from '#domain/payments/approvals/approvals.ts'
import type { FieldValue } from '#domain/payments/approvals/field-changes.ts'
import { rupiah } from '#locales/format.ts'

const delimiters: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }

/** Lists of words for the values of a field, by the last part of its name. */
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

/** Names and values of fields of settings, in the words of the forms they are entered in. */
export function useFieldWords(kind: ApprovalKind) {
  const { t } = useTranslation(['approvals', 'providers', 'reconciliation', 'common'])
  const say = (key: string) => t(key as 'approvals:pending.send')
  const labelOf = (field: string): string => {
    const parts = field.split('.')
    const last = parts.at(-1)!
    if (kind === 'bank_account')
      return say(parts.length > 1 ? `reconciliation:mapping.${last}` : `reconciliation:account.${last}`)
    if (parts[0] === 'banks') return t('pending.ofBank', { bank: parts[1], field: say(`providers:bank.${last}`) })
    return say(parts[0] === 'secrets' ? `providers:secrets.${last}` : `providers:${last}`)
  }
  const writeValue = (field: string, value: FieldValue): string => {
    if (value === null || value === '') return '—'
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no')
    if (Array.isArray(value)) return value.join(', ') || '—'
    if (field.startsWith('secrets.')) return t(value === 'new' ? 'pending.newKey' : 'pending.storedKey')
    const last = field.split('.').at(-1)!
    if (last === 'maximumAmount') return rupiah(Number(value))
    if (last === 'bankPublicKey') return t('pending.fingerprint', { digits: value })
    if (last === 'delimiter') return say(`reconciliation:mapping.delimiters.${delimiters[value]}`)
    const words = choices[`${kind} ${last}`]
    return words ? say(`${words}.${value}`) : String(value)
  }
  return { labelOf, writeValue }
}
