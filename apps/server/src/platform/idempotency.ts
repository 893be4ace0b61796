import crypto from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, conflict } from './errors.ts'
import type { Services } from './services.ts'

const kept = 24 * 3_600_000
/** A request whose server died without an answer stops blocking its key after this long. */
const abandoned = 2 * 60_000
const maxBody = 200_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request holds an idempotency key whose answer is to be stored. */
    idempotencyKey: string | null
  }
}

const fingerprint = (request: FastifyRequest) =>
  crypto
    .createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.isMultipart?.() ? '' : (JSON.stringify(request.body) ?? ''))
    .digest()

/**
 * A write sent again with the same `Idempotency-Key` gets the stored answer for 24 hours instead of happening twice.
 * Only answers of signed-in accounts are kept, and never 5xx: those may be tried again.
 */
export function keepAnswersOfWrites(app: FastifyInstance, { db, clock, log }: Services) {
  app.decorateRequest('idempotencyKey', null)

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string' || request.method === 'GET' || !request.actor) return
    if (key.length < 8 || key.length > 200) throw new AppError(422, 'idempotency_mismatch')
    const accountId = request.actor.accountId
    const now = clock.now()
    const print = fingerprint(request)
    const mine = await db
      .insertInto('idempotencyKeys')
      .values({
        accountId,
        key,
        method: request.method,
        path: request.routeOptions.url ?? '',
        fingerprint: print,
        createdAt: now,
      })
      .onConflict((conflicting) =>
        conflicting
          .columns(['accountId', 'key'])
          .doUpdateSet({ createdAt: now, fingerprint: print, status: null, body: null, contentType: null })
          .where((eb) =>
            eb.or([
              eb('idempotencyKeys.createdAt', '<', new Date(now.getTime() - kept)),
              eb.and([
                eb('idempotencyKeys.status', 'is', null),
                eb('idempotencyKeys.createdAt', '<', new Date(now.getTime() - abandoned)),
              ]),
            ]),
          ),
      )
      .returning('key')
      .executeTakeFirst()
    if (mine) {
      request.idempotencyKey = key
      return
    }
    const stored = await db
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (!stored?.fingerprint.equals(print)) throw conflict('idempotency_mismatch')
    if (stored.status === null) throw conflict('still_working')
    reply.header('idempotency-replayed', 'true').code(stored.status)
    if (stored.contentType) reply.type(stored.contentType)
    return reply.send(stored.body ?? '')
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const key = request.idempotencyKey
    if (!key) return done(null, payload)
    request.idempotencyKey = null
    const storable = reply.statusCode < 500 && reply.statusCode !== 429 && !request.routeOptions.config.secretAnswer
    const text = payload === null || payload === undefined ? '' : payload
    const own = { accountId: request.actor!.accountId, key }
    const written =
      storable && typeof text === 'string' && text.length <= maxBody
        ? db
            .updateTable('idempotencyKeys')
            .set({
              status: reply.statusCode,
              body: text,
              contentType: String(reply.getHeader('content-type') ?? '') || null,
            })
            .where('accountId', '=', own.accountId)
            .where('key', '=', own.key)
            .execute()
        : db.deleteFrom('idempotencyKeys').where('accountId', '=', own.accountId).where('key', '=', own.key).execute()
    written.then(
      () => done(null, payload),
      (error) => {
        log.warn({ err: error }, 'answer could not be kept')
        done(null, payload)
      },
    )
  })
}
