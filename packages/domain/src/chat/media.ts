import { chatFileTypes } from './chat.ts'

const pictureTypes = chatFileTypes.filter((type) => type.startsWith('image/'))

/** Kinds of WhatsApp messages whose file is fetched, with the types of bytes that are stored. */
export const mediaTypes = {
  image: pictureTypes,
  document: chatFileTypes,
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'],
} as const satisfies Record<string, readonly string[]>
export type MediaKind = keyof typeof mediaTypes
export const mediaKinds = Object.keys(mediaTypes) as [MediaKind, ...MediaKind[]]

/** The most that WhatsApp takes of a voice message; documents may be larger there and are refused here. */
export const maxMediaBytes = 16_000_000

/** `waiting` is tried again by itself, `failed` when staff ask for it, `refused` never. */
export const mediaStates = ['waiting', 'failed', 'refused'] as const

/** Why a file could not be fetched. */
const mediaFailures = ['unreachable', 'connection', 'expired', 'address', 'changed'] as const
export type MediaFailure = (typeof mediaFailures)[number]

/** Every reason why a file is not here, those of the door of uploads included; each has a sentence under `chat:media.why`. */
export const mediaProblems = [
  ...mediaFailures,
  'file_too_large',
  'file_type',
  'file_unreadable',
  'file_empty',
  'image_too_big',
  'image_too_small',
  'pdf_active',
  'pdf_protected',
] as const

/** Attempts, the first included, before staff have to ask for another one. */
export const maxMediaAttempts = 6
