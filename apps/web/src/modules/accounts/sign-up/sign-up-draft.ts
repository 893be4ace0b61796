import { readStored, writeStored } from '#web/ui/stored.ts'

/** Answers of an unfinished sign-up, never including the password. */
type SignUpDraft = { name: string; email: string; phone: string }

const key = 'sign-up'

/** Answers typed earlier in this tab, in either sign-up form; empty if none. */
export function keptSignUp(): SignUpDraft {
  const { name = '', email = '', phone = '' } = readStored<Partial<SignUpDraft>>('sessionStorage', key) ?? {}
  return { name: String(name), email: String(email), phone: String(phone) }
}

/** Keeps the answers until the tab is closed, so that a reload or a switch of forms does not lose them. */
export const keepSignUp = ({ name, email, phone }: SignUpDraft) =>
  void writeStored('sessionStorage', key, { name, email, phone })

export const forgetSignUp = () => void writeStored('sessionStorage', key, null)
