import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const builtWeb = path.resolve(import.meta.dirname, '../../../../web/dist')

const readPage = (name: string) => {
  const file = path.join(builtWeb, name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

/** The built page; undefined before the first build. */
export const builtPage = readPage('index.html')

/** The built page of the public surveys, which stands apart from the app. */
export const builtSurveyPage = readPage('survey.html')

/** Names the build that this server serves. The page names the files by their hashes, so that every change changes it. */
export const webBuild = crypto
  .createHash('sha256')
  .update(builtPage ?? '')
  .digest('hex')
  .slice(0, 12)
