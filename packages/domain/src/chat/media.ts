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

/** WhatsApp's limit for voice messages, in bytes. Larger documents, which WhatsApp allows, are refused here. */
export const maxMediaBytes = 16_000_000

/** `waiting` is retried automatically, `failed` when staff ask, `refused` never. */
export const mediaStates = ['waiting', 'failed', 'refused'] as const

const mediaFailures = ['unreachable', 'connection', 'expired', 'address', 'changed'] as const
export type MediaFailure = (typeof mediaFailures)[number]

/**
 * Every reason why a file is missing, including those of the upload check; each has a sentence under `chat:media.why`.
 */
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

/**
 * Automatic attempts to fetch a file, including the first. Then the state is `failed`, and only staff can start again.
 */
export const maxMediaAttempts = 6
