import type { Services } from './services.ts'

/** Why an external system did not carry out a request. */
export class OutsideFailure extends Error {
  /** `unavailable` is temporary and retried; `refused` is the external system's decision. */
  readonly kind: 'unavailable' | 'refused'
  readonly detail: string
  constructor(kind: 'unavailable' | 'refused', detail: string) {
    super(`${kind}: ${detail}`)
    this.kind = kind
    this.detail = detail.slice(0, 300)
  }
}

/** Consecutive failures after which calls to a system pause. */
const failuresBeforePause = 5
const pauseMs = 30_000

type Breaker = { failures: number; openUntil: number; trying: boolean }
const breakers = new WeakMap<Services['config'], Map<string, Breaker>>()

function breakerOf({ config }: Services, code: string): Breaker {
  const own = breakers.get(config) ?? new Map<string, Breaker>()
  breakers.set(config, own)
  const found = own.get(code) ?? { failures: 0, openUntil: 0, trying: false }
  own.set(code, found)
  return found
}

/** Whether calls to a system are paused because of consecutive failures. */
export const isPaused = (services: Services, code: string) =>
  breakerOf(services, code).openUntil > services.clock.now().getTime()

/**
 * Calls an external system. After several consecutive failures, every call fails at once for half a minute; then a
 * single call tests whether the system is back. `Failure` is the error class for calls that may not start.
 */
export async function callUnlessPaused<T>(
  services: Services,
  code: string,
  work: () => Promise<T>,
  Failure: new (kind: 'unavailable', detail: string) => OutsideFailure = OutsideFailure,
): Promise<T> {
  const breaker = breakerOf(services, code)
  const now = () => services.clock.now().getTime()
  if (breaker.openUntil > now() || breaker.trying) throw new Failure('unavailable', 'left alone for a while')
  const wasOpen = breaker.failures >= failuresBeforePause
  breaker.trying = wasOpen
  try {
    const done = await work()
    breaker.failures = 0
    return done
  } catch (error) {
    if (error instanceof OutsideFailure && error.kind === 'refused') breaker.failures = 0
    else if (++breaker.failures >= failuresBeforePause) breaker.openUntil = now() + pauseMs
    throw error
  } finally {
    if (wasOpen) breaker.trying = false
  }
}
