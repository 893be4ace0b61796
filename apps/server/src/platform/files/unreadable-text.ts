import type { z } from 'zod'

/** No form nests deeper. Recursive functions would overflow the stack on deeper JSON. */
const maxDepth = 40
const maxIssues = 20

type Node = { value: unknown; key: string; above: Node | undefined; depth: number }

/**
 * Issues for text that cannot be stored, in values and keys: NUL characters, which PostgreSQL text cannot hold, and
 * lone surrogates, which have no UTF-8. Input nested deeper than `maxDepth` gets one issue for the whole.
 */
export function issuesOfText(input: unknown): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = []
  const stack: Node[] = [{ value: input, key: '', above: undefined, depth: 0 }]
  for (let node = stack.pop(); node && issues.length < maxIssues; node = stack.pop()) {
    const { value, key, depth } = node
    if (depth > maxDepth) return [issueAt(undefined, 'nested')]
    if (isUnreadable(key) || (typeof value === 'string' && isUnreadable(value)))
      issues.push(issueAt(node, 'unreadable_text'))
    if (value === null || typeof value !== 'object') continue
    for (const [name, inner] of Object.entries(value))
      stack.push({ value: inner, key: name, above: node, depth: depth + 1 })
  }
  return issues
}

const isUnreadable = (text: string) => text.includes('\u0000') || !text.isWellFormed()

/** `message` is an error code, or a word without its own sentence. */
function issueAt(node: Node | undefined, message: string): z.core.$ZodIssue {
  const path: string[] = []
  for (let ancestor = node; ancestor?.above; ancestor = ancestor.above) path.unshift(ancestor.key)
  return { code: 'custom', path, message, input: undefined, params: {} }
}
