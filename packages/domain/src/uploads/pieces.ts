/** Bytes of each piece of an upload but the last: about five seconds on slow 3G. */
export const pieceBytes = 262_144
/** Above the limit of every call that takes a file. */
export const highestUploadBytes = 50_000_000
/** Unfinished uploads of an account, and their bytes together. */
export const mostUploads = 20
export const mostUploadBytes = 100_000_000
/** An upload is forgotten this long after it began. */
export const uploadLifetimeMs = 86_400_000

/** Bytes of the piece that begins at `from`. */
export const pieceLength = (from: number, bytes: number) => Math.min(pieceBytes, bytes - from)
