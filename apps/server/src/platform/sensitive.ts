import { findEntity } from '#entities/index.ts'
import { maskText } from './access/masks.ts'

/** Keys whose values are never logged, not even in part. */
const secretKeys = /password|secret|token|totp|recovery|hash$/i

/** Keys logged with only the last four characters, which tell two values apart. */
const identifyingKeys = /nik$|^(kk|taxNumber|kpsNumber|familyCardNumber|licenceNumber|accountNumber|bankAccount.*)$/i

/** Whether a field is logged with only its last four characters. */
export const isCutShort = (subjectType: string, key: string): boolean =>
  identifyingKeys.test(key) || findEntity(subjectType)?.fields[key]?.sensitive === true

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** Copy of a value for the audit log, without secrets and with masked identity numbers. */
export function withoutSecrets(value: unknown, subjectType = '', action = ''): unknown {
  const isCut = (key: string) =>
    isCutShort(subjectType, key) || (key === 'number' && action.startsWith('driving-licence.'))

  function clean(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(clean)
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, entry]) => {
        const isText = typeof entry === 'string' && entry !== ''
        if (secretKeys.test(key) && (isText || isObject(entry))) return [key, '••••']
        if (isCut(key) && isText) return [key, maskText(entry)]
        return [key, clean(entry)]
      }),
    )
  }
  return clean(value)
}
