import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const builtWeb = path.resolve(import.meta.dirname, '../../../../web/dist')

const pageFile = path.join(builtWeb, 'index.html')

/** The built page; undefined before the first build. */
export const builtPage = fs.existsSync(pageFile) ? fs.readFileSync(pageFile, 'utf8') : undefined

/** Names the build that this server serves. The page names the files by their hashes, so that every change changes it. */
export const webBuild = crypto
  .createHash('sha256')
  .update(builtPage ?? '')
  .digest('hex')
  .slice(0, 12)
