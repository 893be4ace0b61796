import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/chat/endpoints.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { isApplicant } from '#server/platform/access/row-scope.ts'
import { forbidden } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { recordEvent } from './append-message.ts'
import { fetchAgain } from './inbound/media.ts'
import { startPhoneLink } from './inbound/phone-link.ts'
import { markRead } from './marks.ts'
import { fileAddressOf, receiveChatFile } from './message-files.ts'
import { markOwn, sendOwn, showOwnChat, showOwnMessages, tellOwnIsWriting } from './own-chat.ts'
import { readMessages } from './read-messages.ts'
import { showHelp } from './show-help.ts'
import { countWaiting, saveDuty, showAgents } from './staff/agents.ts'
import { answer, answerWithFile } from './staff/answer.ts'
import { close, handOver, takeConversation, takeNext } from './staff/assign.ts'
import { findVisible, requireOffice, showConversation, showRooms } from './staff/conversation.ts'
import { showFacts } from './staff/facts.ts'
import { serveConversations } from './staff/list-conversations.ts'
import { createReply, serveReplies, showFilledReplies, updateReply } from './staff/replies.ts'
import { endStreams, streamChat } from './stream/stream-chat.ts'

const perAccount = (max: number) => ({
  rateLimit: { max, timeWindow: '1 minute', keyOf: (request: FastifyRequest) => actorOf(request).accountId },
})

const officeOf = (request: FastifyRequest) => requireOffice(actorOf(request))

/** The applicant who sends the request; 403 for staff. */
function writerOf(request: FastifyRequest): Actor {
  const actor = actorOf(request)
  if (!isApplicant(actor)) throw forbidden('private-chat')
  return actor
}

/** Routes for applicants' conversations with the office, for staff rooms and for the event stream of both. */
export const chatRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services
    app.addHook('preClose', async () => endStreams(services))

    serve(app, calls.readOwnChat, async (request) => ({ data: await showOwnChat(services, actorOf(request)) }))
    serve(app, calls.readHelp, async (request) => ({
      data: await showHelp(services, actorOf(request), request.query.page),
    }))
    serve(app, calls.listOwnMessages, (request) => showOwnMessages(services, actorOf(request), request.query))
    serve(
      app,
      calls.sendOwnMessage,
      async (request) => ({ data: await sendOwn(services, writerOf(request), request.body) }),
      perAccount(30),
    )
    serve(
      app,
      calls.sendOwnFile,
      async (request) => ({
        data: await sendOwn(services, writerOf(request), await receiveChatFile(services, request)),
      }),
      perAccount(10),
    )
    serve(
      app,
      calls.linkWhatsapp,
      async (request) => ({ data: await startPhoneLink(services, writerOf(request)) }),
      perAccount(10),
    )
    serve(app, calls.markOwnRead, async (request) => ({
      data: await markOwn(services, actorOf(request), request.body.seq),
    }))
    serve(
      app,
      calls.tellOwnWriting,
      async (request) => {
        await tellOwnIsWriting(services, writerOf(request))
        return { data: {} }
      },
      perAccount(60),
    )

    serveConversations(app, services)
    serve(app, calls.readConversation, async (request) => ({
      data: await showConversation(db, officeOf(request), request.params.id, clock.now()),
    }))
    serve(app, calls.listChatMessages, async (request) => {
      const actor = officeOf(request)
      return readMessages(db, actor, 'staff', await findVisible(db, actor, request.params.id), request.query)
    })
    serve(
      app,
      calls.sendChatMessage,
      async (request) => ({ data: await answer(services, officeOf(request), request.params.id, request.body) }),
      perAccount(120),
    )
    serve(
      app,
      calls.sendChatFile,
      async (request) => {
        const actor = officeOf(request)
        await findVisible(db, actor, request.params.id)
        const received = await receiveChatFile(services, request)
        return { data: await answerWithFile(services, actor, request.params.id, received) }
      },
      perAccount(30),
    )
    serve(app, calls.markChatRead, async (request) => {
      const { accountId } = officeOf(request)
      const { id: conversationId, lastSeq } = await findVisible(db, officeOf(request), request.params.id)
      return { data: await markRead(db, { conversationId, accountId, seq: request.body.seq, lastSeq }, clock.now()) }
    })
    serve(
      app,
      calls.tellWriting,
      async (request) => {
        const { accountId } = officeOf(request)
        const { id: conversationId } = await findVisible(db, officeOf(request), request.params.id)
        await recordEvent(db, { conversationId, kind: 'writing', accountId }, clock.now())
        return { data: {} }
      },
      perAccount(60),
    )
    serve(app, calls.takeNextConversation, async (request) => ({ data: await takeNext(services, officeOf(request)) }))
    serve(app, calls.takeConversation, async (request) => ({
      data: await takeConversation(services, officeOf(request), request.params.id),
    }))
    serve(app, calls.handOverConversation, async (request) => ({
      data: await handOver(services, officeOf(request), request.params.id, request.body),
    }))
    serve(app, calls.closeConversation, async (request) => ({
      data: await close(services, officeOf(request), request.params.id, request.body.seenSeq),
    }))
    serve(app, calls.readChatFacts, async (request) => ({
      data: await showFacts(services, officeOf(request), request.params.id),
    }))
    serve(app, calls.listRooms, async (request) => ({ data: await showRooms(db, officeOf(request), clock.now()) }))
    serve(app, calls.listAgents, async (request) => ({
      data: await showAgents(db, officeOf(request)),
      meta: { waiting: await countWaiting(db, officeOf(request)) },
    }))
    serve(app, calls.countWaiting, async (request) => ({
      data: { waiting: await countWaiting(db, officeOf(request)) },
    }))
    serve(app, calls.saveOwnDuty, async (request) => ({
      data: await saveDuty(services, officeOf(request), request.body),
    }))
    serveReplies(app, services)
    serve(app, calls.createReply, async (request) => ({
      data: await createReply(services, officeOf(request), request.body),
    }))
    serve(app, calls.updateReply, async (request) => ({
      data: await updateReply(services, officeOf(request), request.params.id, request.body),
    }))
    serve(app, calls.listFilledReplies, (request) => showFilledReplies(services, officeOf(request), request.params.id))
    serve(
      app,
      calls.fetchChatFile,
      async (request) => ({ data: await fetchAgain(services, officeOf(request), request.params.id) }),
      perAccount(30),
    )
    serve(app, calls.openChatFile, async (request) => ({
      data: await fileAddressOf(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.streamChat, (request, reply) => streamChat(services, request, reply, request.query.after), {
      raw: true,
      exposeHeadRoute: false,
      // Staff viewing the portal as another account get no stream.
      config: { seenAs: 'private' },
    })
  }
