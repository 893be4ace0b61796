import crypto from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timeOfDay } from '#locales/format.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { languageOfRequest } from './error-handler.ts'
import { currentClaim, type WriteClaim } from './write-claim.ts'

const keptMs = 24 * 3_600_000
/** A request that has neither committed nor answered for this long counts as dead. Longer than `requestTimeout`. */
const abandonedAfterMs = 2 * 60_000
const maxBodyLength = 200_000
const keyForm = /^[\w-]{8,100}$/
/** Stored as the status if the write was carried out but its answer cannot be repeated. */
const withoutAnswer = 0

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request may carry out the write for its idempotency key. */
    writeClaim: WriteClaim | null
  }
}

/**
 * Hash of a request under the secret key, so that a reader of the table cannot test passwords against it. The handler
 * reads an upload only later, so its content length stands for its bytes.
 */
const fingerprint = (request: FastifyRequest, secretKey: string) =>
  crypto
    .createHmac('sha256', secretKey)
    .update(`${request.method} ${request.url}\n`)
    .update(request.isMultipart?.() ? (request.headers['content-length'] ?? '') : (JSON.stringify(request.body) ?? ''))
    .digest()

/**
 * A write sent again with the same `Idempotency-Key` within 24 hours gets the stored answer instead of happening twice.
 * Only writes of signed-in accounts are stored. A refusal or failure that committed nothing frees its key at once.
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
    const newClaim = {
      claim,
      createdAt: now,
      fingerprint: print,
      method: request.method,
      path: request.routeOptions.url ?? '',
    }
    const claimedKey = await db
      .insertInto('idempotencyKeys')
      .values({ accountId, key, ...newClaim })
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'key'])
          .doUpdateSet({ ...newClaim, status: null, body: null, contentType: null, committed: false })
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
    if (claimedKey) {
      request.writeClaim = { id: claim, accountId, key, committed: false, answered: false }
      return
    }
    const storedKey = await db
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirst()
    // No row: the first request was refused just now, which freed the key.
    const isRunning =
      storedKey && storedKey.status === null && now.getTime() - storedKey.createdAt.getTime() < abandonedAfterMs
    if (!storedKey || isRunning) {
      reply.header('retry-after', '2')
      throw conflict('still_working')
    }
    if (!storedKey.fingerprint.equals(print))
      throw new AppError(422, 'idempotency_mismatch', {
        time: timeOfDay(storedKey.createdAt, languageOfRequest(request)),
      })
    if (storedKey.status === null || storedKey.status === withoutAnswer) throw conflict('answer_lost')
    reply.header('idempotency-replayed', 'true').code(storedKey.status)
    if (storedKey.contentType) reply.type(storedKey.contentType)
    return reply.send(storedKey.body ?? '')
  })

  // Uses the callback form, because a store entered in an async hook ends with the hook.
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
    const ownKey = { accountId, key, claim }
    if (statusCode >= 400 && !committed) {
      await db
        .deleteFrom('idempotencyKeys')
        .where((eb) => eb.and(ownKey))
        .where('committed', '=', false)
        .execute()
      return
    }
    const body = payload ?? ''
    const isRepeatable =
      statusCode < 500 &&
      !reply.routeOptions.config.secretAnswer &&
      typeof body === 'string' &&
      body.length <= maxBodyLength
    await db
      .updateTable('idempotencyKeys')
      .set(
        isRepeatable
          ? { status: statusCode, body, contentType: String(reply.getHeader('content-type') ?? '') || null }
          : { status: withoutAnswer },
      )
      .where((eb) => eb.and(ownKey))
      .execute()
  }
}
