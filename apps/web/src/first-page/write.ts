import fs from 'node:fs'
import { languages } from '#entities/define/language.ts'
import { renderFirstPage } from './render.tsx'

const both = [false, true]

/** The pages of the entrance in every language and state, written to the named file by the build. */
const pages: Record<string, { title: string; html: string }> = {}
const states = { 'sign-in': ['empty', 'refused', 'code'], 'sign-up': ['empty', 'refused'] } as const
for (const page of ['sign-in', 'sign-up'] as const)
  for (const language of languages)
    for (const hasLogo of both)
      for (const hasGoogle of both)
        for (const hasNotice of page === 'sign-up' ? both : [false])
          for (const state of states[page]) {
            const parts = [page, language, state, hasLogo && 'logo', hasGoogle && 'google', hasNotice && 'notice']
            const variant = { page, language, hasLogo, hasGoogle, hasNotice, state }
            pages[parts.filter(Boolean).join(' ')] = await renderFirstPage(variant)
          }
// A server that looks for the file meanwhile finds all of it or none.
const target = process.argv[2]!
fs.writeFileSync(`${target}.new`, JSON.stringify(pages))
fs.renameSync(`${target}.new`, target)
