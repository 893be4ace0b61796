export const documentFileTypes = ['pdf', 'jpg', 'png', 'webp'] as const
export type DocumentFileType = (typeof documentFileTypes)[number]

export const mimeOfType: Record<DocumentFileType, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** `['pdf', 'jpg']` → `application/pdf,image/jpeg`, the `accept` of a file input. */
export const mimesOf = (types: readonly string[]) => types.flatMap((type) => mimeOfType[type as DocumentFileType] ?? [])
