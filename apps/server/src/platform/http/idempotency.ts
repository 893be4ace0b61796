import crypto from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timeOfDay } from '#locales/format.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { languageOfRequest } from './error-handler.ts'
import { currentClaim, type WriteClaim } from './write-claim.ts'

const keptMs = 24 * 3_600_000
/** A request that has neither committed nor answered for this long counts as dead; longer than any request may take. */
const abandonedAfterMs = 2 * 60_000
const maxBodyLength = 200_000
const keyForm = /^[\w-]{8,100}$/
/** Stored in place of a status when a write was carried out and its answer cannot be repeated. */
const withoutAnswer = 0

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request may carry out the write of its idempotency key. */
    writeClaim: WriteClaim | null
  }
}

/**
 * Under a key, so that nobody who reads the table can try passwords against it. The handler reads the bytes of an upload
 * only later; their number stands for them.
 */
const fingerprint = (request: FastifyRequest, secretKey: string) =>
  crypto
    .createHmac('sha256', secretKey)
    .update(`${request.method} ${request.url}\n`)
    .update(request.isMultipart?.() ? (request.headers['content-length'] ?? '') : (JSON.stringify(request.body) ?? ''))
    .digest()

/**
 * A write sent again with the same `Idempotency-Key` gets the stored answer for 24 hours instead of happening twice.
 * Only writes of signed-in accounts are kept. A refusal or failure that committed nothing frees its key at once.
 */
export function keepAnswersOfWrites(app: FastifyInstance, { db, config, clock, log }: Services) {
  app.decorateRequest('writeClaim', null)

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (key === undefined || request.method === 'GET' || !request.actor) return
    if (typeof key !== 'string' || !keyForm.test(key)) throw new AppError(422, 'idempotency_key_invalid')
    const accountId = request.actor.accountId
    const now = clock.now()
    const print = fingerprint(request, config.secretKey)
    const claim = crypto.randomUUID()
    const free = {
      claim,
      createdAt: now,
      fingerprint: print,
      method: request.method,
      path: request.routeOptions.url ?? '',
    }
    const mine = await db
      .insertInto('idempotencyKeys')
      .values({ accountId, key, ...free })
      .onConflict((conflicting) =>
        conflicting
          .columns(['accountId', 'key'])
          .doUpdateSet({ ...free, status: null, body: null, contentType: null, committed: false })
          .where((eb) =>
            eb.or([
              eb('idempotencyKeys.createdAt', '<', new Date(now.getTime() - keptMs)),
              eb.and([
                eb('idempotencyKeys.status', 'is', null),
                eb('idempotencyKeys.committed', '=', false),
                eb('idempotencyKeys.createdAt', '<', new Date(now.getTime() - abandonedAfterMs)),
              ]),
            ]),
          ),
      )
      .returning('key')
      .executeTakeFirst()
    if (mine) {
      request.writeClaim = { id: claim, accountId, key, committed: false, answered: false }
      return
    }
    const stored = await db
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirst()
    // No row any more: the first request was refused in this moment and has freed the key.
    const running = stored && stored.status === null && now.getTime() - stored.createdAt.getTime() < abandonedAfterMs
    if (!stored || running) {
      reply.header('retry-after', '2')
      throw conflict('still_working')
    }
    if (!stored.fingerprint.equals(print))
      throw new AppError(422, 'idempotency_mismatch', { time: timeOfDay(stored.createdAt, languageOfRequest(request)) })
    if (stored.status === null || stored.status === withoutAnswer) throw conflict('answer_lost')
    reply.header('idempotency-replayed', 'true').code(stored.status)
    if (stored.contentType) reply.type(stored.contentType)
    return reply.send(stored.body ?? '')
  })

  // With a callback, because what an asynchronous hook enters ends with it.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.writeClaim) currentClaim.run(request.writeClaim, done)
    else done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.writeClaim
    if (!claim) return done(null, payload)
    request.writeClaim = null
    claim.answered = true
    keep(claim, reply, payload).then(
      () => done(null, payload),
      (error) => {
        log.warn({ err: error }, 'answer could not be kept')
        done(null, payload)
      },
    )
  })

  async function keep({ id: claim, accountId, key, committed }: WriteClaim, reply: FastifyReply, payload: unknown) {
    const { statusCode } = reply
    const own = { accountId, key, claim }
    if (statusCode >= 400 && !committed) {
      await db
        .deleteFrom('idempotencyKeys')
        .where((eb) => eb.and(own))
        .where('committed', '=', false)
        .execute()
      return
    }
    const body = payload ?? ''
    const repeatable =
      statusCode < 500 &&
      !reply.routeOptions.config.secretAnswer &&
      typeof body === 'string' &&
      body.length <= maxBodyLength
    await db
      .updateTable('idempotencyKeys')
      .set(
        repeatable
          ? { status: statusCode, body, contentType: String(reply.getHeader('content-type') ?? '') || null }
          : { status: withoutAnswer },
      )
      .where((eb) => eb.and(own))
      .execute()
  }
}
