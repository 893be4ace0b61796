import { findEntity } from '#entities/index.ts'

/** Never written down, not even in part. */
const secret = /password|secret|token|totp|recovery|hash$/i

/** Written down with their last four characters: enough to tell two apart. */
const identifying = /nik$|^(kk|familyCardNumber|licenceNumber|accountNumber|bankAccount.*)$/i

export const maskText = (value: string) => `••••${value.slice(-4)}`

/** Whether a field of a kind of record is written down with its last four characters only. */
export const isCutShort = (subjectType: string, key: string): boolean =>
  identifying.test(key) || findEntity(subjectType)?.fields[key]?.sensitive === true

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** What may be kept in a log of a change: the same value without secrets and with identity numbers cut short. */
export function withoutSecrets(value: unknown, subjectType = '', action = ''): unknown {
  const cut = (key: string) =>
    isCutShort(subjectType, key) || (key === 'number' && action.startsWith('driving-licence.'))

  function clean(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(clean)
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => {
        const isText = typeof inner === 'string' && inner !== ''
        if (secret.test(key) && (isText || isObject(inner))) return [key, '••••']
        if (cut(key) && isText) return [key, maskText(inner)]
        return [key, clean(inner)]
      }),
    )
  }
  return clean(value)
}
