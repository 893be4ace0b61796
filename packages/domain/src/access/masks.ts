/** By characters, not by UTF-16 units, so that PostgreSQL's `left` and `right` cut at the same places. */
const startOf = (value: string, length: number) => [...value].slice(0, length).join('')
const endOf = (value: string, length: number) => [...value].slice(-length).join('')

/** `3578015705084321` → `••••4321`: the last four characters distinguish two values. */
export const maskText = (value: string) => `••••${endOf(value, 4)}`

/** `Budi Santoso` → `B*** S******`: enough to recognise a familiar name on a receipt. */
export const maskName = (name: string) =>
  name.replace(/(\p{L})(\p{L}+)/gu, (_, first: string, rest: string) => first + '*'.repeat(rest.length))

/** `+6281234567890` → `••••890`, of accounts and their messages. */
export const maskPhone = (phone: string) => `••••${endOf(phone, 3)}`

/** `siti@example.com` → `s•••@example.com`, of accounts. */
export const maskEmail = (email: string) => email.replace(/^(.).*(@.*)$/su, '$1•••$2')

/** `+6281234567890` → `+62812****890`, of applicants in lists and reports. */
export const maskListedPhone = (phone: string) => `${startOf(phone, 6)}****${endOf(phone, 3)}`

/** `siti@example.com` → `s***@example.com`, of applicants in reports. */
export const maskListedEmail = (email: string) => email.replace(/^(.).*(@.*)$/su, '$1***$2')
