import { chatFileTypes } from './chat.ts'

const pictureTypes = chatFileTypes.filter((type) => type.startsWith('image/'))

/** WhatsApp message kinds whose file is fetched, with the accepted MIME types. */
export const mediaTypes = {
  image: pictureTypes,
  document: chatFileTypes,
  audio: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'],
} as const satisfies Record<string, readonly string[]>
export type MediaKind = keyof typeof mediaTypes
export const mediaKinds = Object.keys(mediaTypes) as [MediaKind, ...MediaKind[]]

/** WhatsApp's limit for voice messages, in bytes. WhatsApp allows larger documents, but the server refuses them. */
export const maxMediaBytes = 16_000_000

/** `waiting` is retried automatically, and `failed` when staff ask. `refused` is final. */
export const mediaStates = ['waiting', 'failed', 'refused'] as const

const mediaFailures = ['unreachable', 'connection', 'expired', 'address', 'changed'] as const
export type MediaFailure = (typeof mediaFailures)[number]

/** Reasons why a file is missing, with a sentence under `chat:media.why`. Other reasons show as `file_unreadable`. */
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

/** Number of automatic attempts to fetch a file. After them, the file's state is `failed`. */
export const maxMediaAttempts = 6
