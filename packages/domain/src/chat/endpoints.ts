import { z } from 'zod'
import { todoActors, todoKeys, todoStates } from '#domain/admissions/todo.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { messageStatuses } from '#domain/messaging/endpoints.ts'
import { unknownPlaceholderIn } from '#domain/messaging/placeholders.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  chatAuthors,
  chatHappenings,
  chatKinds,
  chatStates,
  chatTeams,
  longestMessage,
  replyPlaceholders,
} from './chat.ts'
import { helpPages } from './help-page.ts'
import { mediaStates } from './media.ts'

const access = 'private-chat'
const byId = z.object({ id: z.uuid() })
const seq = z.int().min(0).max(2_147_483_647)
const text = z.string().trim().min(1).max(longestMessage)

const message = z.object({
  id: z.uuid(),
  /** Number of the message in its conversation. Applicants get a separate numbering of the public messages. */
  seq: z.int(),
  author: z.enum(chatAuthors),
  /** Name of the account that wrote the message or caused the event; null without an account. */
  name: z.string().nullable(),
  /** Whether the reader wrote the message or caused the event. */
  own: z.boolean(),
  kind: z.enum(chatKinds),
  body: z.string(),
  happening: z.enum(chatHappenings).nullable(),
  /**
   * For an event, an agent's name or a masked WhatsApp address. For a received WhatsApp message that is not text, its
   * WhatsApp type.
   */
  detail: z.string().nullable(),
  /** Team to whose queue the conversation was handed over; null otherwise. */
  team: z.enum(chatTeams).nullable(),
  file: z.object({ name: z.string(), mime: z.string(), bytes: z.int() }).nullable(),
  /** Fetch state of a WhatsApp file that is not stored here. `problem` says why the last attempt failed. */
  media: z.object({ state: z.enum(mediaStates), problem: z.string().nullable() }).nullable(),
  /** State of the delivery by WhatsApp; null if the office did not send the message by WhatsApp. */
  delivery: z.object({ status: z.enum(messageStatuses), problem: z.string().nullable() }).nullable(),
  /** Whether the applicant sees the message. */
  public: z.boolean(),
  at: time,
})
export type ChatMessage = z.output<typeof message>

const page = z.strictObject({
  /** Asks for the first messages after this number. */
  after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  /** Asks for the last messages before this number. */
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
})
const messagesAnswer = z.object({
  data: z.array(message),
  /** `more`: whether more messages follow in the requested direction. */
  meta: z.object({ more: z.boolean(), lastSeq: z.int(), personReadSeq: z.int(), officeReadSeq: z.int() }),
})
export type ChatPage = z.output<typeof messagesAnswer>

const sent = z.object({ data: message })
const body = { id: z.uuid(), body: text }

const hours = z.object({
  open: z.boolean(),
  days: z.array(z.int()),
  from: z.string(),
  until: z.string(),
  opensAt: time.nullable(),
  /** Minutes of office hours within which the office aims to answer. */
  answerMinutes: z.int(),
})

export const readOwnChat = endpoint({
  method: 'GET',
  path: '/chat/own',
  access: 'signed-in',
  summary: "The reader's own conversation with the office: message counts and office hours",
  response: z.object({
    data: z.object({
      /** Null if the account has no conversation yet. */
      id: z.uuid().nullable(),
      lastSeq: z.int(),
      unread: z.int(),
      hours,
      /** Null if the university has no WhatsApp number. `phone` is the linked number or user id, masked. */
      whatsapp: z.object({ phone: z.string().nullable() }).nullable(),
    }),
  }),
})

const inBoth = z.object({ id: z.string(), en: z.string() })

export const readHelp = endpoint({
  method: 'GET',
  path: '/help',
  access: 'signed-in',
  summary: 'Help on a page of the applicant: its three questions, office hours and ways to reach the office',
  query: z.strictObject({ page: z.enum(helpPages) }),
  response: z.object({
    data: z.object({
      questions: z.array(z.object({ question: inBoth, answer: inBoth })),
      hours,
      /** Hours in which the finance office usually answers a proof of transfer. */
      proofAnswerHours: z.int(),
      /** Digits of the office's WhatsApp number with country code; null if it has none. */
      whatsapp: z.string().nullable(),
      phone: z.string(),
      email: z.string(),
      /** The reader's newest registration that has not ended. */
      registrationCode: z.string().nullable(),
    }),
  }),
})

export const listOwnMessages = endpoint({
  method: 'GET',
  path: '/chat/own/messages',
  access: 'signed-in',
  summary: "Messages of the reader's own conversation",
  query: page,
  response: messagesAnswer,
})

export const sendOwnMessage = endpoint({
  method: 'POST',
  path: '/chat/own/messages',
  access: 'signed-in',
  summary: 'Write to the office; the client generates the id, so that a message sent twice is stored once',
  body: z.strictObject({ ...body, team: z.enum(chatTeams).optional() }),
  response: sent,
})

export const sendOwnFile = endpoint({
  method: 'POST',
  path: '/chat/own/files',
  access: 'signed-in',
  summary: 'Send a picture or PDF to the office; form fields `id`, generated by the client, and optionally `team`',
  upload: true,
  response: sent,
})

export const linkWhatsapp = endpoint({
  method: 'POST',
  path: '/chat/own/whatsapp',
  access: 'signed-in',
  summary: "A URL that opens WhatsApp with a code; sending it links the sender's number to the reader",
  response: z.object({ data: z.object({ url: z.string() }) }),
})

export const markOwnRead = endpoint({
  method: 'PUT',
  path: '/chat/own/read',
  access: 'signed-in',
  summary: "Mark the reader's own conversation as read up to a message",
  body: z.strictObject({ seq }),
  response: z.object({ data: z.object({ seq: z.int() }) }),
})

export const tellOwnWriting = endpoint({
  method: 'POST',
  path: '/chat/own/writing',
  access: 'signed-in',
  summary: 'Show the office that the reader is writing',
  reads: true,
  body: z.strictObject({}),
  response: z.object({ data: z.object({}) }),
})

const conversation = z.object({
  id: z.uuid(),
  kind: z.enum(['person', 'room']),
  name: z.string(),
  team: z.enum(chatTeams),
  state: z.enum(chatStates),
  assignee: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Whether the conversation is assigned to the reader. */
  mine: z.boolean(),
  waitingSince: time.nullable(),
  dueAt: time.nullable(),
  lastSeq: z.int(),
  unread: z.int(),
  accountId: z.uuid().nullable(),
  leadId: z.uuid().nullable(),
  phone: z.string().nullable(),
  language: z.enum(languages),
  /**
   * Null if the applicant never wrote by WhatsApp, or if their proven number or user id now belongs to another
   * conversation. Meta accepts free text until `windowUntil`.
   */
  whatsapp: z.object({ windowUntil: time, open: z.boolean() }).nullable(),
})
export type Conversation = z.output<typeof conversation>
const answer = z.object({ data: conversation })

export const readConversation = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id',
  access,
  summary: 'A conversation or room',
  params: byId,
  response: answer,
})

export const listChatMessages = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/messages',
  access,
  summary: 'Messages of a conversation or room, including notes and events',
  params: byId,
  query: page,
  response: messagesAnswer,
})

export const sendChatMessage = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/messages',
  access,
  summary: "Answer, or write a note; 409 with the colleague's answer if one was sent after `seenSeq`",
  params: byId,
  body: z.strictObject({
    ...body,
    note: z.boolean().default(false),
    /** Number of the last message that the writer has seen. */
    seenSeq: seq,
    /** Approved WhatsApp template. After `windowUntil`, Meta refuses free text. */
    templateId: z.uuid().nullable().default(null),
  }),
  response: sent,
})

export const sendChatFile = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/files',
  access,
  summary: 'Send a picture or PDF; form fields `id`, generated by the client, and `seenSeq`, the last message seen',
  params: byId,
  upload: true,
  response: sent,
})

export const markChatRead = endpoint({
  method: 'PUT',
  path: '/chat/conversations/:id/read',
  access,
  summary: 'Mark a conversation as read up to a message',
  params: byId,
  body: z.strictObject({ seq }),
  response: z.object({ data: z.object({ seq: z.int() }) }),
})

export const tellWriting = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/writing',
  access,
  summary: 'Show others in the conversation that the reader is writing',
  reads: true,
  params: byId,
  body: z.strictObject({}),
  response: z.object({ data: z.object({}) }),
})

export const takeNextConversation = endpoint({
  method: 'POST',
  path: '/chat/next',
  access,
  summary: "Take the person waiting longest for the reader's teams; null if nobody waits",
  response: z.object({ data: conversation.nullable() }),
})

export const takeConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/take',
  access,
  summary: 'Take a free conversation; 409 if a colleague has it',
  params: byId,
  response: answer,
})

export const handOverConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/hand-over',
  access,
  summary: "Hand a conversation to a colleague on duty, or back to a team's queue",
  params: byId,
  body: z.strictObject({
    team: z.enum(chatTeams),
    /** Null hands the conversation to the team's queue. */
    assigneeId: z.uuid().nullable(),
    note: typedText().max(500).default(''),
  }),
  response: answer,
})

export const closeConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/close',
  access,
  summary: 'Close a conversation; a new message from the person reopens it',
  params: byId,
  body: z.strictObject({ seenSeq: seq }),
  response: answer,
})

const todo = z.object({
  key: z.enum(todoKeys),
  state: z.enum(todoStates),
  actor: z.enum(todoActors),
  blockedBy: z.string().nullable(),
  dueAt: time.nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const readChatFacts = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/facts',
  access,
  summary: "The person's registrations with open steps and what blocks them",
  params: byId,
  response: z.object({
    data: z.object({
      registrations: z.array(
        z.object({
          id: z.uuid(),
          code: z.string(),
          programme: z.string().nullable(),
          wave: z.string(),
          status: z.string(),
          todo: z.array(todo),
        }),
      ),
    }),
  }),
})

export const listRooms = endpoint({
  method: 'GET',
  path: '/chat/rooms',
  access,
  summary: 'Chat rooms for staff',
  response: z.object({ data: z.array(conversation) }),
})

const agent = z.object({
  id: z.uuid(),
  name: z.string(),
  teams: z.array(z.enum(chatTeams)),
  onDuty: z.boolean(),
  open: z.int(),
})
export type ChatAgent = z.output<typeof agent>

export const listAgents = endpoint({
  method: 'GET',
  path: '/chat/agents',
  access,
  summary: 'Agents with their teams and open conversations; the reader first',
  response: z.object({ data: z.array(agent), meta: z.object({ waiting: z.int() }) }),
})

export const countWaiting = endpoint({
  method: 'GET',
  path: '/chat/waiting',
  access,
  summary: 'How many people wait without an agent',
  response: z.object({ data: z.object({ waiting: z.int() }) }),
})

export const saveOwnDuty = endpoint({
  method: 'PUT',
  path: '/chat/duty',
  access,
  summary: "Set the reader's teams and duty; going off duty returns their waiting conversations",
  body: z.strictObject({ teams: z.array(z.enum(chatTeams)).min(1).max(chatTeams.length), onDuty: z.boolean() }),
  response: z.object({ data: agent }),
})

const reply = {
  title: typedLine().min(1).max(80),
  /** Null for all teams. */
  team: z.enum(chatTeams).nullable(),
  bodyId: typedText().min(1).max(2000),
  bodyEn: typedText().min(1).max(2000),
  active: z.boolean(),
}

function replyProblems({ bodyId, bodyEn }: { bodyId?: string; bodyEn?: string }): Problems {
  const problemOf = (content: string | undefined) => {
    const detail = unknownPlaceholderIn(content ?? '', replyPlaceholders)
    return detail ? { code: 'placeholder_unknown' as const, params: { detail } } : null
  }
  return { bodyId: problemOf(bodyId), bodyEn: problemOf(bodyEn) }
}

const done = z.object({ data: z.object({ id: z.uuid() }) })

export const createReply = endpoint({
  method: 'POST',
  path: '/chat/replies',
  access,
  shared: 'shared_needs_whole_view',
  summary: 'Add a canned reply',
  body: z.strictObject(reply),
  rules: replyProblems,
  response: done,
})

export const updateReply = endpoint({
  method: 'PUT',
  path: '/chat/replies/:id',
  access,
  shared: 'shared_needs_whole_view',
  summary: 'Change a canned reply',
  params: byId,
  body: z.strictObject({ ...reply, version: rowVersion }),
  rules: replyProblems,
  response: done,
})

export const listFilledReplies = endpoint({
  method: 'GET',
  path: '/chat/conversations/:id/replies',
  access,
  summary:
    "Canned replies with the person's facts filled in, and the facts that are missing; approved WhatsApp templates too",
  params: byId,
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        body: z.string(),
        missing: z.array(z.enum(replyPlaceholders)),
      }),
    ),
    templates: z.array(z.object({ id: z.uuid(), name: z.string(), body: z.string() })),
  }),
})

export const fetchChatFile = endpoint({
  method: 'POST',
  path: '/chat/messages/:id/fetch',
  access,
  summary: "Ask WhatsApp again for a message's file",
  params: byId,
  response: sent,
})

export const openChatFile = endpoint({
  method: 'GET',
  path: '/chat/messages/:id/file',
  access: 'signed-in',
  summary: "A short-lived URL of a message's file",
  params: byId,
  response: z.object({ data: z.object({ url: z.string() }) }),
})

/**
 * Sends arrays of `chatEvent` as server-sent events. The id of each array is the value of `after` when reconnecting.
 * After the event `reload`, the client must read its data again.
 */
export const streamChat = endpoint({
  method: 'GET',
  path: '/chat/stream',
  access: 'signed-in',
  summary: "Events of the reader's conversations, as text/event-stream",
  query: z.strictObject({ after: z.string().max(20).optional() }),
  response: z.any(),
})

export const chatEvent = z.object({
  conversation: z.uuid(),
  kind: z.enum(['message', 'read', 'state', 'writing']),
  seq: z.int().nullable(),
  /** Id of the account that wrote, read or is typing. Applicants get their own id or null. */
  by: z.string().nullable(),
})
export type ChatEvent = z.output<typeof chatEvent>
