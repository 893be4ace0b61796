/** Cuts by characters, not UTF-16 units, like PostgreSQL's `left` and `right`. */
const startOf = (value: string, length: number) => [...value].slice(0, length).join('')
const endOf = (value: string, length: number) => [...value].slice(-length).join('')

/** `3578015705084321` → `••••4321`: the last four characters tell two values apart. */
export const maskText = (value: string) => `••••${endOf(value, 4)}`

/** `Budi Santoso` → `B*** S******`: enough to recognise a familiar name on a receipt. */
export const maskName = (name: string) =>
  name.replace(/(\p{L})(\p{L}+)/gu, (_, first: string, rest: string) => first + '*'.repeat(rest.length))

/** `+6281234567890` → `••••890`, for accounts and their messages. */
export const maskPhone = (phone: string) => `••••${endOf(phone, 3)}`

/** `siti@example.com` → `s•••@example.com`, for accounts. */
export const maskEmail = (email: string) => email.replace(/^(.).*(@.*)$/su, '$1•••$2')

/** `+6281234567890` → `+62812****890`, for applicants in lists and reports. */
export const maskListedPhone = (phone: string) => `${startOf(phone, 6)}****${endOf(phone, 3)}`

/** `siti@example.com` → `s***@example.com`, for applicants in reports. */
export const maskListedEmail = (email: string) => email.replace(/^(.).*(@.*)$/su, '$1***$2')

/** `Siti Nur Aminah` → `S. N. A.`: all that a public page shows of a name. */
export const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]!.toUpperCase()}.`)
    .join(' ')
