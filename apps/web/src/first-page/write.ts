import fs from 'node:fs'
import { languages } from '#entities/define/language.ts'
import { renderSignIn } from './render.tsx'

const both = [false, true]

/** The sign-in page in every language and state, written to the named file by the build. */
const pages: Record<string, { title: string; html: string }> = {}
for (const language of languages)
  for (const hasLogo of both)
    for (const hasGoogle of both)
      for (const state of ['empty', 'refused', 'code'] as const)
        pages[[language, state, hasLogo && 'logo', hasGoogle && 'google'].filter(Boolean).join(' ')] =
          await renderSignIn({ language, hasLogo, hasGoogle, state })
// A server that looks for the file meanwhile finds all of it or none.
const target = process.argv[2]!
fs.writeFileSync(`${target}.new`, JSON.stringify(pages))
fs.renameSync(`${target}.new`, target)
