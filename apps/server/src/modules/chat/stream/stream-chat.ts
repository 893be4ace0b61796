import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { isOffice } from '#server/platform/access/row-scope.ts'
import { AppError, unauthenticated } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { createHub, type Hub, type Listener } from './hub.ts'

/** Interval between heartbeats; each one checks the session again. */
const heartbeatMs = 5_000

/** A stream is cut when its client leaves more than this many bytes unread. */
const maxUnreadBytes = 256_000

/** Maximum concurrent streams per account in this process. Tabs of a browser usually share one stream. */
const maxStreamsPerAccount = 12

const hubs = new WeakMap<Services, { hub: Hub; streams: Map<string, number>; ends: Set<() => void> }>()

function hubOf(services: Services) {
  const found = hubs.get(services)
  if (found) return found
  const entry = { hub: createHub(services), streams: new Map<string, number>(), ends: new Set<() => void>() }
  hubs.set(services, entry)
  return entry
}

/** Ends all streams, so that the process can stop. */
export function endStreams(services: Services) {
  const found = hubs.get(services)
  if (!found) return
  for (const end of [...found.ends]) end()
  found.hub.stop()
  hubs.delete(services)
}

/** Streams chat events to the client. 429 if the account already has `maxStreamsPerAccount` streams. */
export async function streamChat(services: Services, request: FastifyRequest, reply: FastifyReply, after?: string) {
  const { hub, streams, ends } = hubOf(services)
  const actor = actorOf(request)
  const token = bearerToken(request)
  if (token === undefined) throw unauthenticated()
  const open = streams.get(actor.accountId) ?? 0
  if (open >= maxStreamsPerAccount) throw new AppError(429, 'too_many_requests', { retryAfter: 10 })
  streams.set(actor.accountId, open + 1)
  const { raw } = reply
  let remove: (() => void) | undefined
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    clearInterval(heartbeat)
    ends.delete(end)
    remove?.()
    const left = (streams.get(actor.accountId) ?? 1) - 1
    if (left > 0) streams.set(actor.accountId, left)
    else streams.delete(actor.accountId)
    raw.end()
  }
  const write = (text: string) => {
    if (isEnded) return
    raw.write(text)
    if (raw.writableLength > maxUnreadBytes) {
      end()
      raw.destroy()
    }
  }
  const listener: Listener = {
    actor,
    send(cursor, events) {
      if (events === null) return write(`id: ${cursor}\nevent: reload\ndata: {}\n\n`)
      write(`id: ${cursor}\ndata: ${JSON.stringify(events)}\n\n`)
    },
  }
  const heartbeat = setInterval(async () => {
    write(': here\n\n')
    const session = await Promise.resolve(services.sessions.find(token)).catch(() => undefined)
    // Null: the session has ended. Undefined: the lookup failed, so the stream goes on.
    if (session === null) return end()
    if (!session) return
    // Applicants and staff get different events, so the client must reconnect when `isOffice` has changed.
    if (isOffice(session.actor) !== isOffice(actor)) return end()
    listener.actor = session.actor
  }, heartbeatMs).unref()
  ends.add(end)
  reply.hijack()
  raw.on('close', end)
  raw.on('error', end)
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Tells nginx not to buffer the stream.
    'x-accel-buffering': 'no',
  })
  try {
    // Join the hub before writing, because the client fetches messages when the stream begins. Later messages must
    // already arrive as events.
    remove = await hub.listen(listener, after)
    write('retry: 2000\n\n')
    if (isEnded) remove()
  } catch (error) {
    services.log.warn({ err: error }, 'a stream of the chat could not begin')
    end()
  }
  return reply
}
