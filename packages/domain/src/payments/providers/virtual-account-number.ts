/** Longest number in SNAP, the banks' common interface. */
export const virtualAccountMaximum = 28
/** Digits of the customer part: enough for ten billion numbers per bank, each issued once. */
export const customerDigits = 10

/** The bank's prefix followed by the customer number, digits only. */
export function virtualAccountNumber(prefix: string, customer: number, digits = customerDigits): string {
  if (!/^\d{1,12}$/.test(prefix)) throw new RangeError(`"${prefix}" is not a bank prefix`)
  if (!Number.isSafeInteger(customer) || customer < 1) throw new RangeError('customer numbers start at 1')
  const part = String(customer).padStart(digits, '0')
  // A longer customer part could equal another prefix with a shorter one.
  if (part.length > digits) throw new RangeError('customer numbers of this prefix are used up')
  const number = prefix + part
  if (number.length > virtualAccountMaximum) throw new RangeError('a virtual account number has at most 28 digits')
  return number
}

export const isVirtualAccountNumber = (typed: string) => new RegExp(`^\\d{6,${virtualAccountMaximum}}$`).test(typed)

/** Groups of four digits, for reading aloud and typing at a cash machine. */
export const groupedNumber = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ')
