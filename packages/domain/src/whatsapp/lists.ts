import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { messageStatuses } from '#domain/messaging/endpoints.ts'
import { time } from '#entities/define/answer-time.ts'
import type { Choices } from '#entities/define/field.ts'
import { languages } from '#entities/define/language.ts'

import { messageEvents } from '#entities/messaging/message-events.ts'
import { connectionRow } from './endpoints.ts'
import { whatsappKinds } from './standing.ts'

export const listConnections = defineList({
  name: 'whatsapp',
  path: '/settings/whatsapp',
  access: 'settings-whatsapp-view',
  summary: 'WhatsApp connections',
  words: { title: 'staff-titles:settings-whatsapp' },
  row: connectionRow,
  columns: {
    name: { word: 'whatsapp:name', sort: true },
    standing: { word: 'whatsapp:standing', words: 'whatsapp:standings' },
    kind: { word: 'whatsapp:kind', words: 'whatsapp:kinds' },
    phone: { word: 'whatsapp:phone' },
    sentLastDay: { word: 'whatsapp:sentLastDay', kind: 'number' },
    problem: { word: 'whatsapp:reason', words: 'whatsapp:problem', hidden: true },
    createdAt: { word: 'whatsapp:created', kind: 'dateTime', sort: true, hidden: true },
  },
  filters: {
    kind: { values: whatsappKinds, word: 'whatsapp:kind', words: 'whatsapp:kinds', quick: true },
    active: { values: ['true', 'false'], word: 'whatsapp:active', words: 'whatsapp:activity' },
  },
  order: 'name',
})

const delivery = z.object({
  id: z.uuid(),
  /** Name of the account, else `to`. */
  receiver: z.string(),
  event: z.string(),
  language: z.enum(languages),
  /** Masked unless the user may edit accounts or the message is their own. */
  to: z.string(),
  name: z.string().nullable(),
  status: z.enum(messageStatuses),
  template: z.string().nullable(),
  attempts: z.int(),
  /** Key below `whatsapp:problem`. */
  problem: z.string().nullable(),
  problemDetail: z.string().nullable(),
  createdAt: time,
  sentAt: time.nullable(),
  deliveredAt: time.nullable(),
  readAt: time.nullable(),
})
export type WhatsappDelivery = z.output<typeof delivery>

/** Message events, and the test message of a connection. */
export const deliveredEvents: Choices = {
  ...messageEvents,
  'whatsapp-test': { en: 'Test message', id: 'Pesan uji coba' },
}

export const listDeliveries = defineList({
  name: 'whatsapp-messages',
  path: '/settings/whatsapp/:id/messages',
  access: 'settings-whatsapp-view',
  summary: 'Messages of a WhatsApp connection, newest first',
  params: z.object({ id: z.uuid() }),
  words: { title: 'whatsapp:deliveries' },
  row: delivery,
  columns: {
    receiver: { word: 'whatsapp:receiver' },
    to: { word: 'whatsapp:number', hidden: true },
    event: { word: 'whatsapp:event', words: deliveredEvents },
    status: { word: 'whatsapp:status', words: 'whatsapp:statuses' },
    problem: { word: 'whatsapp:reason', words: 'whatsapp:problem' },
    createdAt: { word: 'whatsapp:time', kind: 'dateTime', sort: true },
    template: { word: 'whatsapp:template', hidden: true },
    attempts: { word: 'whatsapp:attempts', kind: 'number', hidden: true },
    sentAt: { word: 'whatsapp:sentAt', kind: 'dateTime', hidden: true },
    deliveredAt: { word: 'whatsapp:deliveredAt', kind: 'dateTime', hidden: true },
    readAt: { word: 'whatsapp:readAt', kind: 'dateTime', hidden: true },
  },
  filters: { status: { values: messageStatuses, word: 'whatsapp:status', words: 'whatsapp:statuses', quick: true } },
  order: '-createdAt',
})
