import { parsePhone } from '#domain/accounts/phone.ts'

/** A phone number as people and spreadsheets write it: a number in a cell has lost its leading zero. */
export function phoneOf(text: string): string | null {
  const digits = text.replace(/[\s().\-/]/g, '')
  return (
    parsePhone(/^8\d{8,11}$/.test(digits) ? `0${digits}` : digits) ?? (/^\+[1-9]\d{7,14}$/.test(digits) ? digits : null)
  )
}

const emailPattern = /^[^\s@<>,;"()]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** An e-mail address in small letters; null if it is none. */
export function emailOf(text: string): string | null {
  const email = text.toLowerCase()
  return email.length <= 254 && emailPattern.test(email) ? email : null
}
