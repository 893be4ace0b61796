export const passwordMinimum = 8
/** A longer password would only cost hashing time. */
export const passwordMaximum = 128

const kindPatterns = {
  lowercase: /\p{Ll}/u,
  uppercase: /\p{Lu}/u,
  digit: /\d/,
  special: /[^\p{L}\d\s]/u,
} as const

export type PasswordKind = keyof typeof kindPatterns
export const passwordKinds = Object.keys(kindPatterns) as PasswordKind[]

/** Which requirements the password fulfils. */
export const passwordParts = (password: string): Record<PasswordKind | 'length', boolean> => ({
  length: password.length >= passwordMinimum,
  lowercase: kindPatterns.lowercase.test(password),
  uppercase: kindPatterns.uppercase.test(password),
  digit: kindPatterns.digit.test(password),
  special: kindPatterns.special.test(password),
})

/** 0 to 100: lower case, upper case, digit and special character count 25 each; 0 below the minimum length. */
export function passwordScore(password: string): number {
  if (password.length < passwordMinimum) return 0
  return passwordKinds.filter((kind) => kindPatterns[kind].test(password)).length * (100 / passwordKinds.length)
}

const commonPasswords = new Set(
  '12345678 123456789 1234567890 11111111 00000000 88888888 87654321 password password1 password123 passw0rd qwertyuiop qwerty123 qwerty12 asdfghjkl abcd1234 abc12345 iloveyou indonesia indonesia1 bismillah bismillah1 sayangku sayang123 rahasia123 mahasiswa mahasiswa1 universitas jakarta1 admin123 administrator'.split(
    ' ',
  ),
)

export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_too_common' | 'password_is_email'

/**
 * Error code of a refused password, or null. Strength is only displayed; common passwords and the e-mail address are
 * refused.
 */
export function passwordProblem(password: string, email = ''): PasswordProblem | null {
  if (password.length < passwordMinimum) return 'password_too_short'
  if (password.length > passwordMaximum) return 'password_too_long'
  const lowerCase = password.toLowerCase()
  if (commonPasswords.has(lowerCase) || new Set(lowerCase).size < 3) return 'password_too_common'
  if (email && (lowerCase === email.toLowerCase() || lowerCase === email.toLowerCase().split('@')[0]))
    return 'password_is_email'
  return null
}
