/** Reads an Indonesian mobile number as people write it (08…, 62…, +62…) and gives E.164, or null. */
export function parsePhone(typed: string): string | null {
  const bare = typed.replace(/[\s().-]/g, '')
  const local = /^(?:\+?62|0)(8\d{7,11})$/.exec(bare)?.[1]
  return local ? `+62${local}` : null
}

/** `+6281234567890` → `0812-3456-7890`, the way it is read aloud. */
export function formatPhone(phone: string): string {
  const local = phone.startsWith('+62') ? `0${phone.slice(3)}` : phone
  return local.replace(/^(\d{4})(\d{4})(\d+)$/, '$1-$2-$3')
}
