import { readStored, writeStored } from '#web/ui/stored.ts'

/** Answers of an unfinished sign-up. The password is never among them. */
type SignUpDraft = { name: string; email: string; phone: string }

const key = 'sign-up'

/** Answers typed earlier in this tab, in either form of the sign-up; empty without any. */
export function keptSignUp(): SignUpDraft {
  const { name = '', email = '', phone = '' } = readStored<Partial<SignUpDraft>>('sessionStorage', key) ?? {}
  return { name: String(name), email: String(email), phone: String(phone) }
}

/** Keeps the answers until the tab is closed, so that a reload or a change of the form does not lose them. */
export const keepSignUp = ({ name, email, phone }: SignUpDraft) =>
  void writeStored('sessionStorage', key, { name, email, phone })

export const forgetSignUp = () => void writeStored('sessionStorage', key, null)
