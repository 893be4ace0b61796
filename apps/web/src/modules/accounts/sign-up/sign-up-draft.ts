/** Answers of an unfinished sign-up. The password is never among them. */
type SignUpDraft = { name: string; email: string; phone: string }

const key = 'sign-up'
const emptyDraft: SignUpDraft = { name: '', email: '', phone: '' }

/** Answers typed earlier in this tab, in either form of the sign-up; empty without any. */
export function keptSignUp(): SignUpDraft {
  try {
    const { name, email, phone } = { ...emptyDraft, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
    return { name: String(name), email: String(email), phone: String(phone) }
  } catch {
    return emptyDraft
  }
}

/** Keeps the answers until the tab is closed, so that a reload or a change of the form does not lose them. */
export function keepSignUp({ name, email, phone }: SignUpDraft) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ name, email, phone }))
  } catch {
    // Without storage the answers last as long as the page.
  }
}

export function forgetSignUp() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Without storage there is nothing to remove.
  }
}
