import * as breaker from '#server/platform/breaker.ts'
import type { Services } from '#server/platform/services.ts'
import { BankFailure } from './provider.ts'

/** Whether calls to a bank are paused because several failed in a row. */
export const isPaused = (services: Services, code: string) => breaker.isPaused(services, `bank ${code}`)

/** Calls a bank unless its calls are paused; see `platform/breaker.ts`. */
export const callUnlessPaused = <T>(services: Services, code: string, work: () => Promise<T>) =>
  breaker.callUnlessPaused(services, `bank ${code}`, work, BankFailure)
