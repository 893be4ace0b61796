import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const builtWeb = path.resolve(import.meta.dirname, '../../../../web/dist')

const readPage = (name: string) => {
  const file = path.join(builtWeb, name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

/** Built page; undefined before the first build. */
export const builtPage = readPage('index.html')

/** Built page of the public surveys, separate from the app. */
export const builtSurveyPage = readPage('survey.html')

/** Identifies the build this server serves. The page refers to files by hash, so every change changes it. */
export const webBuild = crypto
  .createHash('sha256')
  .update(builtPage ?? '')
  .digest('hex')
  .slice(0, 12)
