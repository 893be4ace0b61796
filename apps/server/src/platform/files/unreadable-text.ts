import type { z } from 'zod'

/** Deeper JSON fits no form; functions that walk it by calling themselves would overflow the stack. */
const maxDepth = 40
const maxIssues = 20

type Node = { value: unknown; key: string; above: Node | undefined; depth: number }

/**
 * Parts of the input that cannot be kept: NUL characters, which PostgreSQL has no text for, and halves of surrogate
 * pairs, which have no UTF-8, in values and in names. Input that is nested too deep is refused as a whole.
 */
export function issuesOfText(input: unknown): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = []
  const waiting: Node[] = [{ value: input, key: '', above: undefined, depth: 0 }]
  for (let node = waiting.pop(); node && issues.length < maxIssues; node = waiting.pop()) {
    const { value, key, depth } = node
    if (depth > maxDepth) return [issueAt(undefined, 'nested')]
    if (isUnreadable(key) || (typeof value === 'string' && isUnreadable(value)))
      issues.push(issueAt(node, 'unreadable_text'))
    if (value === null || typeof value !== 'object') continue
    for (const [name, inner] of Object.entries(value))
      waiting.push({ value: inner, key: name, above: node, depth: depth + 1 })
  }
  return issues
}

const isUnreadable = (text: string) => text.includes('\u0000') || !text.isWellFormed()

/** The message is an error code, or a word without a sentence of its own. */
function issueAt(node: Node | undefined, message: string): z.core.$ZodIssue {
  const path: string[] = []
  for (let at = node; at?.above; at = at.above) path.unshift(at.key)
  return { code: 'custom', path, message, input: undefined, params: {} }
}
