import fs from 'node:fs'
import path from 'node:path'

/**
 * Puts `next` in the place of `current`, whose former content waits in `old`. Does nothing if `next` is missing, and goes on
 * where a kill has stopped it.
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

/** Takes an exchange back, whole or half. */
export function exchangeBack(current, next, old) {
  if (!fs.existsSync(old)) return
  if (fs.existsSync(current)) fs.renameSync(current, next)
  fs.renameSync(old, current)
}
