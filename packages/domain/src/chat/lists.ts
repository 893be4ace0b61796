import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { chatBoxes, chatPreviews, chatStates, chatTeams } from './chat.ts'

const conversationRow = z.object({
  id: z.uuid(),
  name: z.string(),
  code: z.string().nullable(),
  team: z.enum(chatTeams),
  state: z.enum(chatStates),
  assignee: z.string().nullable(),
  waitingSince: time.nullable(),
  dueAt: time.nullable(),
  lastMessageAt: time.nullable(),
  /** Beginning of the last public message. */
  lastText: z.string().nullable(),
  lastKind: z.enum(chatPreviews).nullable(),
  unread: z.int(),
  whatsapp: z.boolean(),
})
export type ConversationRow = z.output<typeof conversationRow>

export const listConversations = defineList({
  name: 'conversations',
  path: '/chat/conversations',
  access: 'private-chat',
  summary: 'Conversations of the office, longest wait first',
  words: { title: 'inbox:title', columns: 'inbox:column', filters: 'inbox:filter' },
  row: conversationRow,
  columns: {
    name: { width: 28 },
    code: {},
    team: { words: 'chat:team' },
    state: { words: 'inbox:state' },
    assignee: { absent: 'inbox:nobody' },
    waitingSince: { kind: 'dateTime', sort: true },
    dueAt: { kind: 'dateTime', hidden: true },
    lastMessageAt: { kind: 'dateTime', sort: true },
    lastText: { hidden: true },
    lastKind: { words: 'inbox:preview', hidden: true },
    unread: { kind: 'number', hidden: true },
    whatsapp: { kind: 'yesNo', hidden: true },
  },
  filters: {
    box: { values: chatBoxes, words: 'inbox:box', quick: true },
    team: { values: chatTeams, words: 'chat:team' },
    whatsapp: { kind: 'yesNo' },
  },
  order: 'waitingSince',
  ignoresShortSearch: true,
  searchUntold: true,
})

const replyRow = z.object({
  id: z.uuid(),
  title: z.string(),
  team: z.enum(chatTeams).nullable(),
  bodyId: z.string(),
  bodyEn: z.string(),
  active: z.boolean(),
  version: z.int(),
})
export type ReplyRow = z.output<typeof replyRow>

export const listReplies = defineList({
  name: 'canned-replies',
  path: '/chat/replies',
  access: 'private-chat',
  summary: 'Canned replies',
  words: { title: 'inbox:replies', columns: 'inbox:replyColumn', filters: 'inbox:replyFilter' },
  row: replyRow,
  columns: {
    title: { sort: true },
    team: { words: 'chat:team', absent: 'inbox:everyTeam' },
    bodyId: { width: 50 },
    bodyEn: { width: 50, hidden: true },
    active: { kind: 'yesNo' },
  },
  filters: { team: { values: chatTeams, words: 'chat:team' }, active: { kind: 'yesNo' } },
  order: 'title',
})
