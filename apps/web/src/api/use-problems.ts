import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkBody } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'
import { problemSentences } from '#domain/problem-sentences.ts'

/** Schema and rules of a body: an endpoint, as the server declares it. */
export type Checked = Pick<Endpoint, 'body' | 'rules' | 'whole'> & {
  /** Loads schema and rules for a body without an endpoint. */
  load?: () => Promise<Pick<Endpoint, 'body' | 'rules'>>
}
const declarations = import.meta.glob<Record<string, Endpoint | Record<string, Endpoint>>>(
  [
    '../../../../packages/domain/src/**/{endpoints,*-endpoints}.ts',
    '!../../../../packages/domain/src/accounts/{endpoints,entrance-endpoints,totp-endpoints}.ts',
  ],
  { query: '?whole' },
)

/** Loads the declaration with schemas and rules, which the browser build strips from the endpoint. */
async function loadDeclaration(endpoint: Checked): Promise<Checked | undefined> {
  if (endpoint.load) return endpoint.load()
  if (endpoint.whole === undefined) return endpoint
  const exports = await declarations[`../../../../packages/domain/src/${endpoint.whole}endpoints.ts`]!()
  const { method, path } = endpoint as Endpoint
  return Object.values(exports)
    .flatMap((entry) =>
      typeof entry.path === 'string' ? [entry as Endpoint] : Object.values(entry as Record<string, Endpoint>),
    )
    .find((entry) => entry.method === method && entry.path === path)
}

/** Problems in a body by field, in the reader's language, and the declaration behind them once loaded. */
export function useProblems(endpoint: Checked, body: unknown, known: Record<string, string> | undefined) {
  const { i18n } = useTranslation('common')
  const [declaration, setDeclaration] = useState<Checked>()
  const bodyText = JSON.stringify(body)

  // Schemas and sentences load after the form; until then only the server checks.
  useEffect(() => {
    let isUnmounted = false
    const words = i18n.loadNamespaces(['validation', 'errors'])
    Promise.all([loadDeclaration(endpoint), words])
      .then(([loadedDeclaration]) => !isUnmounted && setDeclaration(loadedDeclaration))
      .catch(() => {})
    return () => {
      isUnmounted = true
    }
  }, [endpoint, i18n])

  const { language } = i18n
  const knownText = JSON.stringify(known)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are the body and what is known; the language changes the sentences
  const problems = useMemo(() => {
    if (!declaration) return { ...known }
    const found = problemSentences(checkBody(declaration, body, new Date()), {
      t: (key, params) => String(i18n.t(key, params)),
      has: (key) => i18n.exists(key),
    })
    const firstSentences = Object.entries(found).map(([field, sentences]) => [field, sentences[0]!])
    return { ...(Object.fromEntries(firstSentences) as Record<string, string>), ...known }
  }, [declaration, bodyText, knownText, language])
  return { declaration, problems }
}
