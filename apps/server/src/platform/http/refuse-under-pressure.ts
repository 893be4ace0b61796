import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/platform/errors.ts'

const resolutionMs = 10
const sampleMs = 1_000
/** Samples without a request after which measuring stops. */
const quietSamples = 5

/**
 * Answers API calls with 503 while the event loop was late by more than `limitMs` on average over a second; 0 refuses
 * none. Pages are still sent: they show that the server is busy, and retry. Measures only while requests come, because
 * Node's histogram wakes the process a hundred times a second.
 */
export function refuseUnderPressure(app: FastifyInstance, limitMs: number) {
  if (limitMs <= 0) return
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  let delayMs = 0
  let samplesSinceRequest = 0
  let timer: NodeJS.Timeout | undefined

  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    delays.disable()
    delayMs = 0
  }
  const sample = () => {
    // Without a tick the loop was blocked for the whole second.
    delayMs = delays.count === 0 ? Number.POSITIVE_INFINITY : Math.max(0, delays.mean / 1e6 - resolutionMs)
    delays.reset()
    if (++samplesSinceRequest > quietSamples) stop()
    else timer?.refresh()
  }

  app.addHook('onRequest', (request, _reply, done) => {
    samplesSinceRequest = 0
    if (!timer) {
      delays.enable()
      timer = setTimeout(sample, sampleMs).unref()
    }
    if (delayMs > limitMs && request.url.startsWith('/api/')) done(new AppError(503, 'service_unavailable'))
    else done()
  })
  app.addHook('onClose', (_app, done) => {
    stop()
    done()
  })
}
