export const passwordMinimum = 8
/** Longer ones would only cost hashing time. */
export const passwordMaximum = 128

const kinds = {
  lowercase: /\p{Ll}/u,
  uppercase: /\p{Lu}/u,
  digit: /\d/,
  special: /[^\p{L}\d\s]/u,
} as const

export type PasswordKind = keyof typeof kinds
export const passwordKinds = Object.keys(kinds) as PasswordKind[]

/** Which parts of a strong password this one has. */
export const passwordParts = (password: string): Record<PasswordKind | 'length', boolean> => ({
  length: password.length >= passwordMinimum,
  lowercase: kinds.lowercase.test(password),
  uppercase: kinds.uppercase.test(password),
  digit: kinds.digit.test(password),
  special: kinds.special.test(password),
})

/** 0 to 100: lowercase, uppercase, digit and special add the same share; nothing counts below the minimum length. */
export function passwordScore(password: string): number {
  if (password.length < passwordMinimum) return 0
  return passwordKinds.filter((kind) => kinds[kind].test(password)).length * (100 / passwordKinds.length)
}

const common = new Set(
  '12345678 123456789 1234567890 11111111 00000000 88888888 87654321 password password1 password123 passw0rd qwertyuiop qwerty123 qwerty12 asdfghjkl abcd1234 abc12345 iloveyou indonesia indonesia1 bismillah bismillah1 sayangku sayang123 rahasia123 mahasiswa mahasiswa1 universitas jakarta1 admin123 administrator'.split(
    ' ',
  ),
)

export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_too_common' | 'password_is_email'

/** What keeps a password from being taken, or null. Strength is shown, only the clearly guessable is refused. */
export function passwordProblem(password: string, email = ''): PasswordProblem | null {
  if (password.length < passwordMinimum) return 'password_too_short'
  if (password.length > passwordMaximum) return 'password_too_long'
  const lower = password.toLowerCase()
  if (common.has(lower) || new Set(lower).size < 3) return 'password_too_common'
  if (email && (lower === email.toLowerCase() || lower === email.toLowerCase().split('@')[0]))
    return 'password_is_email'
  return null
}
