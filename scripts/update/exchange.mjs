import fs from 'node:fs'
import path from 'node:path'

/**
 * Replaces `current` with `next` and keeps the former contents in `old`. Does nothing if `next` is missing, and
 * continues where a kill stopped it.
 */
export function exchange(current, next, old) {
  if (!fs.existsSync(next)) return
  if (!fs.existsSync(old) && fs.existsSync(current)) {
    fs.mkdirSync(path.dirname(old), { recursive: true })
    fs.renameSync(current, old)
  }
  fs.mkdirSync(path.dirname(current), { recursive: true })
  fs.renameSync(next, current)
}

/** Undoes a complete or partial exchange. */
export function exchangeBack(current, next, old) {
  if (!fs.existsSync(old)) return
  if (fs.existsSync(current)) fs.renameSync(current, next)
  fs.renameSync(old, current)
}
