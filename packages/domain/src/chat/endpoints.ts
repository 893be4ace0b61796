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
import { mediaStates } from './media.ts'

const access = 'private-chat'
const byId = z.object({ id: z.uuid() })
const seq = z.int().min(0).max(2_147_483_647)
const text = z.string().trim().min(1).max(longestMessage)

const message = z.object({
  id: z.uuid(),
  /** Number in the conversation: counts all messages for staff, public ones for the person. */
  seq: z.int(),
  author: z.enum(chatAuthors),
  /** Name of the author; null where only the university is named. */
  name: z.string().nullable(),
  /** Whether the reader wrote it. */
  own: z.boolean(),
  kind: z.enum(chatKinds),
  body: z.string(),
  happening: z.enum(chatHappenings).nullable(),
  /** Who or what the event concerns; for `unsupported`, the WhatsApp message type. */
  detail: z.string().nullable(),
  /** Queue the person was handed over to. */
  team: z.enum(chatTeams).nullable(),
  file: z.object({ name: z.string(), mime: z.string(), bytes: z.int() }).nullable(),
  /** State of a WhatsApp file that is not stored here yet, and why the last attempt failed. */
  media: z.object({ state: z.enum(mediaStates), problem: z.string().nullable() }).nullable(),
  /** Delivery of the message by WhatsApp. */
  delivery: z.object({ status: z.enum(messageStatuses), problem: z.string().nullable() }).nullable(),
  /** Whether the person sees it. */
  public: z.boolean(),
  at: time,
})
export type ChatMessage = z.output<typeof message>

const page = z.strictObject({
  /** Messages above this number, oldest first. */
  after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  /** Messages below this number, newest last. */
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
})
const messagesAnswer = z.object({
  data: z.array(message),
  /** Whether more messages follow in the requested direction. */
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
  /** Minutes within which the office aims to answer. */
  answerMinutes: z.int(),
})

export const readOwnChat = endpoint({
  method: 'GET',
  path: '/chat/own',
  access: 'signed-in',
  summary: "The reader's own conversation with the office: numbers of read and unread messages, and office hours",
  response: z.object({
    data: z.object({
      /** Null until the first message. */
      id: z.uuid().nullable(),
      lastSeq: z.int(),
      unread: z.int(),
      hours,
      /** The reader's own linked number, masked; null if the university has no WhatsApp. */
      whatsapp: z.object({ phone: z.string().nullable() }).nullable(),
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
  summary: 'Write to the office; the id is chosen by the sender, so that a message sent twice is one',
  body: z.strictObject({ ...body, team: z.enum(chatTeams).optional() }),
  response: sent,
})

export const sendOwnFile = endpoint({
  method: 'POST',
  path: '/chat/own/files',
  access: 'signed-in',
  summary: 'Send a picture or PDF to the office; the sender chooses the form fields `id` and, if needed, `team`',
  upload: true,
  response: sent,
})

export const linkWhatsapp = endpoint({
  method: 'POST',
  path: '/chat/own/whatsapp',
  access: 'signed-in',
  summary: "An address that opens WhatsApp with the code by which the sender's number becomes the reader's",
  response: z.object({ data: z.object({ url: z.string() }) }),
})

export const markOwnRead = endpoint({
  method: 'PUT',
  path: '/chat/own/read',
  access: 'signed-in',
  summary: 'Note how far the reader has read their own conversation',
  body: z.strictObject({ seq }),
  response: z.object({ data: z.object({ seq: z.int() }) }),
})

export const tellOwnWriting = endpoint({
  method: 'POST',
  path: '/chat/own/writing',
  access: 'signed-in',
  summary: 'Tell the office that the reader is writing',
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
  /** Whether the reader is assigned. */
  mine: z.boolean(),
  waitingSince: time.nullable(),
  dueAt: time.nullable(),
  lastSeq: z.int(),
  unread: z.int(),
  accountId: z.uuid().nullable(),
  leadId: z.uuid().nullable(),
  phone: z.string().nullable(),
  language: z.enum(languages),
  /** Set if the person wrote by WhatsApp; free text may be sent there until `windowUntil`. */
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
  summary: 'Messages of a conversation or room, notes and happenings among them',
  params: byId,
  query: page,
  response: messagesAnswer,
})

export const sendChatMessage = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/messages',
  access,
  summary: 'Answer, or write a note; 409 with the news if a colleague has answered after `seenSeq`',
  params: byId,
  body: z.strictObject({
    ...body,
    note: z.boolean().default(false),
    /** Last message the writer has seen. */
    seenSeq: seq,
    /** Approved WhatsApp template, needed once free text may no longer be sent. */
    templateId: z.uuid().nullable().default(null),
  }),
  response: sent,
})

export const sendChatFile = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/files',
  access,
  summary: 'Send a picture or PDF; the form field `id` is chosen by the sender, `seenSeq` the last message they saw',
  params: byId,
  upload: true,
  response: sent,
})

export const markChatRead = endpoint({
  method: 'PUT',
  path: '/chat/conversations/:id/read',
  access,
  summary: 'Note how far the reader has read',
  params: byId,
  body: z.strictObject({ seq }),
  response: z.object({ data: z.object({ seq: z.int() }) }),
})

export const tellWriting = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/writing',
  access,
  summary: 'Tell colleagues that the reader is writing',
  reads: true,
  params: byId,
  body: z.strictObject({}),
  response: z.object({ data: z.object({}) }),
})

export const takeNextConversation = endpoint({
  method: 'POST',
  path: '/chat/next',
  access,
  summary: 'Take the person of the own teams who has waited longest; null if nobody waits',
  response: z.object({ data: conversation.nullable() }),
})

export const takeConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/take',
  access,
  summary: 'Take a conversation that nobody has; 409 if a colleague has it',
  params: byId,
  response: answer,
})

export const handOverConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/hand-over',
  access,
  summary: 'Give a conversation to a colleague at work, or back to the queue of a team',
  params: byId,
  body: z.strictObject({
    team: z.enum(chatTeams),
    /** Null: the team's queue. */
    assigneeId: z.uuid().nullable(),
    note: typedText().max(500).default(''),
  }),
  response: answer,
})

export const closeConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/:id/close',
  access,
  summary: 'Close a conversation; a new message of the person opens it again',
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
  summary: 'Registrations of the person with the steps that are not done, and what blocks them',
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
  summary: 'Rooms in which the staff talk to each other',
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
  summary: 'Staff who answer, with their teams and the number of their open conversations; the reader first',
  response: z.object({ data: z.array(agent), meta: z.object({ waiting: z.int() }) }),
})

export const countWaiting = endpoint({
  method: 'GET',
  path: '/chat/waiting',
  access,
  summary: 'How many people wait whom nobody has, as the box of waiting conversations lists them',
  response: z.object({ data: z.object({ waiting: z.int() }) }),
})

export const saveOwnDuty = endpoint({
  method: 'PUT',
  path: '/chat/duty',
  access,
  summary: "The reader's teams and whether they are at work; going off gives their waiting conversations back",
  body: z.strictObject({ teams: z.array(z.enum(chatTeams)).min(1).max(chatTeams.length), onDuty: z.boolean() }),
  response: z.object({ data: agent }),
})

const reply = {
  title: typedLine().min(1).max(80),
  /** Null: all teams. */
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
  summary: 'A new canned reply',
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
  summary: 'Ask WhatsApp again for the file of a message that could not be fetched',
  params: byId,
  response: sent,
})

export const openChatFile = endpoint({
  method: 'GET',
  path: '/chat/messages/:id/file',
  access: 'signed-in',
  summary: 'A short-lived address of the file of a message that the reader sees',
  params: byId,
  response: z.object({ data: z.object({ url: z.string() }) }),
})

/**
 * Server-sent events. Each announces a change of a conversation, `{ conversation, kind, seq, by }`; its id is the
 * cursor to resume from. `reload`: the cursor is too old.
 */
export const streamChat = endpoint({
  method: 'GET',
  path: '/chat/stream',
  access: 'signed-in',
  summary: 'Events of the conversations that the reader sees, as text/event-stream',
  query: z.strictObject({ after: z.string().max(20).optional() }),
  response: z.any(),
})

export const chatEvent = z.object({
  conversation: z.uuid(),
  kind: z.enum(['message', 'read', 'state', 'writing']),
  seq: z.int().nullable(),
  /** Account that reads or writes; applicants see only their own. */
  by: z.string().nullable(),
})
export type ChatEvent = z.output<typeof chatEvent>
