import type { SignedIn } from '#domain/accounts/endpoints.ts'
import { endSeeAs } from '#domain/accounts/entrance-endpoints.ts'
import { storageKeys } from '#domain/navigation/constants.ts'
import { leaveTrial } from '#domain/trial/endpoints.ts'
import { storedToken } from '#web/api/client.ts'
import { queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { acceptSignIn, checkSession, ownTokenKey, signOut } from './session-store.ts'

/** Continues as another account. The actor's own token waits in this browser and is restored however the view ends. */
export async function seeAs(answer: SignedIn) {
  const ownToken = storedToken()
  if (ownToken) localStorage.setItem(ownTokenKey, ownToken)
  await acceptSignIn(answer)
}

/**
 * Restores the actor's own session and returns the id of the viewed account. Also works if the server has already ended
 * the view.
 */
export async function backToOneself(): Promise<string | null> {
  const ownToken = localStorage.getItem(ownTokenKey)
  const answer = await sendOnce(endSeeAs).catch(() => null)
  // A refused token has already restored the actor's token and reloaded the page.
  if (!ownToken || localStorage.getItem(ownTokenKey) !== ownToken) return null
  localStorage.setItem(storageKeys.token, ownToken)
  localStorage.removeItem(ownTokenKey)
  queryClient.clear()
  await checkSession({ force: true, fresh: true })
  return answer?.data.accountId ?? null
}

/** Restores the administrator's own session; the test applicant's session ends in the background. */
export async function backFromTrial() {
  const ownToken = localStorage.getItem(ownTokenKey)
  if (!ownToken) return signOut()
  localStorage.setItem(storageKeys.token, ownToken)
  localStorage.removeItem(ownTokenKey)
  queryClient.clear()
  await checkSession({ force: true, fresh: true })
  void sendOnce(leaveTrial).catch(() => {})
}
