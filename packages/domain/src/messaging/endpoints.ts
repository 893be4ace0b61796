import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { defaultPageSize } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { oneLinePattern } from '#entities/define/one-line.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  type MessageChannel,
  type MessageEvent,
  messageChannels,
  messageEvents,
} from '#entities/messaging/message-events.ts'

export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const

const ownMessage = z.object({
  id: z.uuid(),
  event: z.string(),
  subject: z.string(),
  body: z.string(),
  link: z.string().nullable(),
  createdAt: time,
  readAt: time.nullable(),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/messages',
  access: 'signed-in',
  summary: 'Messages to the signed-in account, newest first',
  query: z.strictObject({
    page: z.coerce.number().int().min(1).max(400).default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(defaultPageSize),
    unread: z.enum(['true', 'false']).optional(),
  }),
  response: z.object({
    data: z.array(ownMessage),
    meta: z.object({ total: z.int(), total_is_estimate: z.boolean(), next: z.string().nullable(), unread: z.int() }),
  }),
})

export const readMessage = endpoint({
  method: 'PUT',
  path: '/messages/:id/read',
  access: 'signed-in',
  summary: 'Mark a message as read',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: ownMessage }),
})

export const readAllMessages = endpoint({
  method: 'PUT',
  path: '/messages/read',
  access: 'signed-in',
  summary: 'Mark every message as read',
  response: z.object({ data: z.object({ read: z.int() }) }),
})

export const outbox = endpoint({
  method: 'GET',
  path: '/outbox',
  access: 'public',
  summary: 'What would have been sent to an address; exists only with the built-in demo database',
  query: z.strictObject({
    to: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.uuid(),
        channel: z.enum(['email', 'whatsapp']),
        to: z.string(),
        event: z.string(),
        language: z.enum(languages),
        subject: z.string(),
        body: z.string(),
        link: z.string().nullable(),
        /** Attachment of the mail; the link expires after some minutes. */
        file: z.object({ name: z.string(), url: z.string() }).nullable(),
        status: z.enum(messageStatuses),
        createdAt: time,
      }),
    ),
  }),
})

const testedTemplate = z.strictObject({
  event: z.enum(Object.keys(messageEvents) as [MessageEvent, ...MessageEvent[]]),
  channel: z.enum(Object.keys(messageChannels) as [MessageChannel, ...MessageChannel[]]),
  language: z.enum(languages),
  subject: typedText().max(200).regex(oneLinePattern).nullable(),
  body: typedText().min(1).max(2000),
  /** WhatsApp only: name of the template that the provider approved. */
  providerTemplate: typedLine().max(100).nullable().optional(),
})
export type TestedTemplate = z.output<typeof testedTemplate>

export const testTemplate = endpoint({
  method: 'POST',
  path: '/messages/test',
  access: 'master-notifikasi-whatsapp-update',
  summary: 'Send the words of a template to oneself, with example values',
  body: testedTemplate,
  response: z.object({ data: z.object({ to: z.string().nullable() }) }),
})
