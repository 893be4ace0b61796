type EarlyAnswer = { url: string; token: string; language: string; startedAtMs: number; response: Promise<Response> }
declare global {
  /** Read of the dashboard that `first-paint.js` or the sign-in page began before its page was there. */
  var earlyAnswer: EarlyAnswer | undefined
}

/** An older answer is not used: its page had to wait for its scripts. */
const longestAgeMs = 15_000

/** The answer to a read that has already begun; undefined if there is none, or it failed. Each is taken once. */
export async function takeEarlyAnswer(url: string, token: string | null, language: string) {
  const early = globalThis.earlyAnswer
  if (early?.url !== url) return undefined
  globalThis.earlyAnswer = undefined
  if (early.token !== token || early.language !== language || performance.now() - early.startedAtMs > longestAgeMs)
    return undefined
  return early.response.catch(() => undefined)
}
