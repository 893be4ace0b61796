import type { Connection } from '#server/modules/payments/providers/connection.ts'
import type { Inquiry, KnownAccount, NewVirtualAccount } from '#server/modules/payments/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import { accessToken } from './access-token.ts'
import { accountFields, identityFields, numberFields } from './account-fields.ts'
import { callSnap } from './call-snap.ts'
import { readStatus } from './read-status.ts'
import { refusal } from './refusal.ts'

/** Calls of the portal to a SNAP bank that stores every number. */
export function snapClient(services: Services, connection: Connection) {
  const { settings } = connection
  const call = (request: Parameters<typeof callSnap>[2]) => callSnap(services, connection, request)

  async function isThere(account: NewVirtualAccount) {
    const body = identityFields(connection, account)
    const { code } = await call({ action: 'issue', method: 'POST', name: 'inquiry-va', body, id: account.id })
    return code.startsWith('200')
  }

  return {
    token: () => accessToken(services, connection, true),
    async create(account: NewVirtualAccount) {
      const body = accountFields(connection, account)
      const answer = await call({ action: 'issue', method: 'POST', name: 'create-va', body, id: account.id })
      // The bank already knows the number: an earlier try created it and the response was lost.
      if (!answer.code.startsWith('200') && !(await isThere(account))) throw refusal(answer)
    },
    async update(account: NewVirtualAccount) {
      const body = accountFields(connection, account)
      const answer = await call({ action: 'update', method: 'PUT', name: 'update-va', body, id: account.id })
      if (!answer.code.startsWith('200') && !isGone(answer.code)) throw refusal(answer)
    },
    async remove(account: KnownAccount) {
      const body = identityFields(connection, account)
      const method = settings.deleteMethod
      const answer = await call({ action: 'cancel', method, name: 'delete-va', body, id: account.id })
      if (!answer.code.startsWith('200') && !isGone(answer.code)) throw refusal(answer)
    },
    async status(account: Pick<KnownAccount, 'bank' | 'number'> & { id?: string }): Promise<Inquiry> {
      const body = { ...numberFields(connection, account), additionalInfo: {} }
      const answer = await call({ action: 'inquire', method: 'POST', name: settings.statusName, body, id: account.id })
      if (/^404/.test(answer.code)) return { payments: [] }
      const inquiry = answer.code.startsWith('200')
        ? readStatus(answer.json, account.number, () => services.clock.now())
        : null
      if (!inquiry) throw refusal(answer)
      return inquiry
    },
  }
}

/** Number not found, paid or expired: nothing is left to close or change. */
const isGone = (code: string) => /^404\d\d(12|14|19|11)$/.test(code)
