import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const builtWeb = path.resolve(import.meta.dirname, '../../../../web/dist')

export type FirstPages = Record<string, { title: string; html: string }>

export type WebBuild = {
  /** Page of the app; undefined before the first build. */
  page: string | undefined
  /** Page of the public surveys, separate from the app. */
  surveyPage: string | undefined
  /** The sign-in page as the build drew it, by language, state and what is on it; empty until a first start has drawn it. */
  firstPages: FirstPages
  /** Identifies the build. The page refers to files by hash, so every change changes it. */
  id: string
}

const readPage = (name: string) => {
  const file = path.join(builtWeb, name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

let cachedBuild: WebBuild | undefined

/** The build this server serves. Read when the first answer needs it, since a first start builds the app meanwhile. */
export function webBuild(): WebBuild {
  if (!cachedBuild?.page) {
    const page = readPage('index.html')
    const id = crypto
      .createHash('sha256')
      .update(page ?? '')
      .digest('hex')
      .slice(0, 12)
    cachedBuild = { page, surveyPage: readPage('survey.html'), firstPages: {}, id }
  }
  if (Object.keys(cachedBuild.firstPages).length === 0)
    cachedBuild.firstPages = JSON.parse(readPage('first-page.json') ?? '{}')
  return cachedBuild
}
