import { isSafeAddress } from '#domain/safe-address.ts'
import type { FeederTarget } from '#domain/students/feeder/fields.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { readAnswerText } from '#server/platform/read-answer.ts'
import type { Services } from '#server/platform/services.ts'
import { FeederFailure, type FeederTransport } from './protocol.ts'

/** Paths of Neo Feeder's two databases. */
const pathOf = { sandbox: '/ws/sandbox2.php', live: '/ws/live2.php' } as const

/** Calls a Neo Feeder over HTTP. Logs neither calls nor answers: both contain students' data. */
export const httpRegister =
  ({ config }: Services, target: Exclude<FeederTarget, 'demo'>, address: string): FeederTransport =>
  async (body) => {
    refuseInTransaction('calling Neo Feeder')
    if (!isSafeAddress(address)) throw new FeederFailure('refused', 'the address is not encrypted', { act: body.act })
    try {
      const response = await fetch(`${address}${pathOf[target]}`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // A redirect would send the password to an address staff never entered.
        redirect: 'error',
        signal: AbortSignal.timeout(config.bankTimeoutMs),
      })
      return { status: response.status, text: await readAnswerText(response) }
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } }
      const words = name === 'TimeoutError' ? 'no answer in time' : String(cause?.code ?? message)
      throw new FeederFailure('unavailable', words, { act: body.act })
    }
  }
