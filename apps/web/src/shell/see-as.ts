import type { SignedIn } from '#domain/accounts/endpoints.ts'
import { endSeeAs } from '#domain/accounts/entrance-endpoints.ts'
import { storageKeys } from '#domain/navigation/constants.ts'
import { storedToken } from '#web/api/client.ts'
import { queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { acceptSignIn, checkSession, ownTokenKey } from './session-store.ts'

/** Goes on as somebody else; one's own token waits in this browser, and is taken up again when that ends in any way. */
export async function seeAs(answer: SignedIn) {
  const own = storedToken()
  if (own) localStorage.setItem(ownTokenKey, own)
  await acceptSignIn(answer)
}

/** Back to oneself; gives whom one saw the product as. Ended by the server already, it ends here all the same. */
export async function backToOneself(): Promise<string | null> {
  const own = localStorage.getItem(ownTokenKey)
  const ended = await sendOnce(endSeeAs).catch(() => null)
  // A refused token has brought the own one back already, and the page starts anew.
  if (!own || localStorage.getItem(ownTokenKey) !== own) return null
  localStorage.setItem(storageKeys.token, own)
  localStorage.removeItem(ownTokenKey)
  queryClient.clear()
  await checkSession({ force: true, fresh: true })
  return ended?.data.accountId ?? null
}
